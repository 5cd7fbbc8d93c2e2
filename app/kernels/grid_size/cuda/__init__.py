"""`extern "C" __global__ NAME(const float* x, float* y, int n)`."""
