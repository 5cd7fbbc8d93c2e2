"""`extern "C" __global__ NAME(const float* x, float* y, int rows, int columns)`: y = x + 1, row-major."""
