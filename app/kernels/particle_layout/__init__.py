"""Arrays of structures against structures of arrays."""
