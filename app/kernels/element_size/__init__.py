"""The same bytes in elements of 1 to 16 bytes."""
