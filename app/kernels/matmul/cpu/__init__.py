"""The matmul ladder of a machine without a GPU.

Each `NAME_kernel.py` has one function, `run(a, b, c, threads)`: row-major float32 arrays a (m, k),
b (k, n) and c (m, n) with m, n, k >= 1; c is overwritten; at most `threads` cores are used.
"""
