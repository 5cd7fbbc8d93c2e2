"""Many warps with few registers against few warps with many."""
