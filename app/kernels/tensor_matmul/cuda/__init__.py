"""The tensor ladder of a GPU.

Kernels take 16-bit elements of A (m, k), B (n, k) and C (m, n), each row-major, then int M, N, K. bfloat16
travels as its bit pattern.
"""
