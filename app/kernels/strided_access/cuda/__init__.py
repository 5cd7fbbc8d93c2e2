"""`extern "C" __global__ NAME(const float* x, float* y, int n, int stride)`: y[i] = x[i * stride] + 1."""
