"""`extern "C" __global__ NAME(const int* x, int* y, int stride, int sharers)`."""
