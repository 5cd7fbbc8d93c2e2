// One thread per element of C. Lanes of a warp run down a column of C: each reads another row of A,
// K floats apart, so a warp's load touches 32 sectors.
extern "C" __global__ void naive(const float* A, const float* B, float* C, int M, int N, int K) {
    const size_t row = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const size_t column = size_t(blockIdx.y) * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (size_t k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}
