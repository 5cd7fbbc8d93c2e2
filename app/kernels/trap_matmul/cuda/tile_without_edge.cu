// Tiles of 32x32 in shared memory, whole ones only: right where n is a multiple of 32. Elsewhere the last
// terms of each sum and the last rows and columns of C are left out.
constexpr int TILE = 32;

extern "C" __global__ void tile_without_edge(const float* A, const float* B, float* C, int n) {
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    const size_t row = size_t(blockIdx.y) * TILE + threadIdx.y;
    const size_t column = size_t(blockIdx.x) * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int tile = 0; tile < n / TILE; ++tile) {
        a[threadIdx.y][threadIdx.x] = A[row * n + tile * TILE + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(size_t(tile) * TILE + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    C[row * n + column] = sum;
}
