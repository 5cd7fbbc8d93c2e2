"""`extern "C" __global__ NAME(const float* shifted, const float* aligned, float* y, int n)`."""
