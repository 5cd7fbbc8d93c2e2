// One thread for each result; lanes run along N, so B and C are read and written side by side.
constexpr int EDGE = 16;

extern "C" __global__ void __launch_bounds__(EDGE* EDGE)
    naive(const float* A, const float* B, float* C, int M, int N, int K) {
    const size_t row = size_t(blockIdx.y) * EDGE + threadIdx.y;
    const size_t column = size_t(blockIdx.x) * EDGE + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[size_t(k) * N + column];
    C[row * N + column] = sum;
}
