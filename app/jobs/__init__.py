"""The job engine's wiring: submit, run, cancel, recover."""
