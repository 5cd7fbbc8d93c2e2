"""The matmul ladder of a GPU.

Each `NAME.cu` has `extern "C" __global__ NAME(const float* A, const float* B, float* C, int M, int N, int K)`
with row-major A (M, K), B (K, N) and C (M, N); M, N, K >= 1, edges included; C is overwritten.
"""
