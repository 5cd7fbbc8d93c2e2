"""Walsh-Hadamard transform of 64 values in the registers of a thread."""
