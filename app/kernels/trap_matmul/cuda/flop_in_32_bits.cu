// One thread per element of C: right. What is wrong is the count of its operations.
extern "C" __global__ void flop_in_32_bits(const float* A, const float* B, float* C, int n) {
    const size_t row = size_t(blockIdx.y) * blockDim.y + threadIdx.y;
    const size_t column = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (row >= n || column >= n) return;
    float sum = 0.0f;
    for (size_t k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + column];
    C[row * n + column] = sum;
}
