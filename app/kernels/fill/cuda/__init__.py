"""Kernels take `(const float* pattern, float* z, int n)` as `extern "C" __global__`."""
