"""Kernels of the matmul ladder, compared by their occupancy."""
