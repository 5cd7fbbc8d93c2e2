"""C = A B, row-major, any M, N, K >= 1."""
