"""A trap that hangs on the CPU, and a stage that does not."""
