"""A slice copied, from one word past a boundary or from the boundary."""
