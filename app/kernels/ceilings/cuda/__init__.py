"""Roofs of a GPU: `extern "C" __global__ NAME(const float* x, const float* y, float* z, int n)`."""
