"""`extern "C" __global__ NAME(const float* x, float* sums, int n)`."""
