"""Kernels take `(const int* chain, int* last, int lines, int hops)` as `extern "C" __global__`."""
