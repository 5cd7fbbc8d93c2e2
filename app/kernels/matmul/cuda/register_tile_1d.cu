// A block of 512 threads computes 64 x 64 results, each thread 8 of one column: one value of B read from shared memory
// feeds 8 multiply-adds. A warp reads each of its values of A as a broadcast.
//
// shared: tile_a [64][8] holds A (row, k), tile_b [8][64] holds B (k, column).
// thread: rows 8 ty + {0..7}, column tx.
constexpr int TILE = 64, DEPTH = 8, ROWS = 8, THREADS = TILE * TILE / ROWS;
static_assert(TILE * DEPTH == THREADS, "one element of A and of B a thread");

extern "C" __global__ void __launch_bounds__(THREADS)
    register_tile_1d(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ __align__(16) float tile_a[TILE][DEPTH];
    __shared__ float tile_b[DEPTH][TILE];
    const int tx = threadIdx.x % TILE, ty = threadIdx.x / TILE;
    const int row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE;
    const int load_row = row0 + threadIdx.x / DEPTH, load_k = threadIdx.x % DEPTH;

    float sum[ROWS] = {};
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        const bool inside_a = load_row < M && k0 + load_k < K;
        const bool inside_b = k0 + ty < K && column0 + tx < N;
        tile_a[threadIdx.x / DEPTH][load_k] = inside_a ? A[size_t(load_row) * K + k0 + load_k] : 0.0f;
        tile_b[ty][tx] = inside_b ? B[size_t(k0 + ty) * N + column0 + tx] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            const float b = tile_b[k][tx];
#pragma unroll
            for (int i = 0; i < ROWS; ++i) sum[i] += tile_a[ROWS * ty + i][k] * b;
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < ROWS; ++i) {
        const int row = row0 + ROWS * ty + i, column = column0 + tx;
        if (row < M && column < N) C[size_t(row) * N + column] = sum[i];
    }
}
