"""Attention on a CPU, as NumPy writes it.

`NAME_kernel.py` has one function, `run(q, k, v, o, threads)`: float16 arrays (heads, length, head_dim).
"""
