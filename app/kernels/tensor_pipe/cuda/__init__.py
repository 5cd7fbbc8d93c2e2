"""`extern "C" __global__ NAME(const Half* A, const Half* B, float* C, int M, int N, int K)`."""
