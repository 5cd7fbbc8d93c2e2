"""Kernels take `(int* last, int lines, int hops)` as `extern "C" __global__`; the chain is in the source."""
