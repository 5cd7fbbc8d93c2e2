"""C = A Bᵀ in half precision with sums in float32, any M, N, K >= 1."""
