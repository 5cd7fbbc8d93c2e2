"""`extern "C" __global__ NAME(const float* W, const float* x, float* y, int n, int k)`:
y (n) = W (n, k) x (k), row-major.
"""
