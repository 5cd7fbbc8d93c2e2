// A block of TILE x TILE threads computes TILE x TILE results from tiles of A and B in shared memory, whose
// rows are PADDING words longer than the tile. Tiles are zero beyond the matrices.
#ifndef TILE
#define TILE 16
#endif
#ifndef PADDING
#define PADDING 1
#endif

extern "C" __global__ void __launch_bounds__(TILE* TILE)
    tile(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float tile_a[TILE][TILE + PADDING];
    __shared__ float tile_b[TILE][TILE + PADDING];
    const int x = threadIdx.x, y = threadIdx.y;
    const size_t row = size_t(blockIdx.y) * TILE + y;
    const size_t column = size_t(blockIdx.x) * TILE + x;

    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        tile_a[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
        tile_b[y][x] = k0 + y < K && column < N ? B[size_t(k0 + y) * N + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }
    if (row < M && column < N) C[row * N + column] = sum;
}
