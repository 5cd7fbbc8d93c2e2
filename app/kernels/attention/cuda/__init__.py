"""The attention ladder of a GPU.

Kernels take float16 Q, K, V and O, each (heads, length, head_dim) row-major, then int heads, length and
head_dim.
"""
