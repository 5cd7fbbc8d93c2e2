"""Pure functions from numbers to numbers; no I/O, no clock, no device."""
