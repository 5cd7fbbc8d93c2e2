"""Kernels take `(const int* x, int* sums, int quads)` as `extern "C" __global__`."""
