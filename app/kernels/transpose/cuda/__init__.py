"""`extern "C" __global__ NAME(const float* x, float* y, int rows, int columns)`:
y (columns, rows) = x transposed.
"""
