"""Roofs of a CPU. Each `NAME_kernel.py` has `run(x, y, z, threads)` over float32 arrays of n elements."""
