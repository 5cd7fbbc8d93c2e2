"""The tensor ladder of a machine without a GPU: its library line only, since CPUs here have no such unit.

`NAME_kernel.py` has one function, `run(a, b, c, threads)`: row-major arrays a (m, k), b (n, k), c (m, n).
"""
