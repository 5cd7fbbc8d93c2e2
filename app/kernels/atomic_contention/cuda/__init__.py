"""`extern "C" __global__ NAME(const int* x, int* bins, int n, int launch)`; launch 0 clears."""
