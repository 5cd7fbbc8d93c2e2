"""`extern "C" __global__ NAME(const float* x, float* y, int n, int offset)`: y[i] = x[i + offset]."""
