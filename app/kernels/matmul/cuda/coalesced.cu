// One thread per element of C. Lanes of a warp run along a row of C: 32 neighbours of B make four full
// sectors, the element of A is the same for all lanes (one broadcast). A block is one row of 256, and
// neighbouring blocks lie below each other: they share B's columns and keep few lines of A alive.
extern "C" __global__ void coalesced(const float* A, const float* B, float* C, int M, int N, int K) {
    const size_t column = size_t(blockIdx.y) * blockDim.x + threadIdx.x;
    const size_t row = blockIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (size_t k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}
