"""`extern "C" __global__ NAME(const float* A, const float* B, float* C, int M, int N, int K)`, row-major."""
