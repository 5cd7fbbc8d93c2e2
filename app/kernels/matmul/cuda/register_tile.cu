// A block of 256 threads computes 128 x 128 results, each thread 8 x 8 of them as a sum of outer
// products: 16 values read from shared memory feed 64 multiply-adds.
//
// shared: tile_a [8][128 + 4] holds A transposed (k, row), tile_b [8][128] holds B (k, column).
// thread: rows 4 ty + {0..3} and 64 + 4 ty + {0..3}, columns likewise by tx, so that both fragments are
// read as two float4 and the lanes of a quarter warp read neighbours.
constexpr int TILE = 128, DEPTH = 8, HALF = TILE / 2, PADDING = 4, THREADS = 256;
constexpr int LOADS = TILE * DEPTH / THREADS;

__device__ __forceinline__ float4 quad(const float* shared) { return *reinterpret_cast<const float4*>(shared); }

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    register_tile(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ __align__(16) float tile_a[DEPTH][TILE + PADDING];
    __shared__ __align__(16) float tile_b[DEPTH][TILE];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE;

    float sum[8][8] = {};
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
#pragma unroll
        for (int load = 0; load < LOADS; ++load) {
            const int row = threadIdx.x / DEPTH + load * (THREADS / DEPTH), ka = threadIdx.x % DEPTH;
            const int kb = threadIdx.x / TILE + load * (THREADS / TILE), column = threadIdx.x % TILE;
            const bool inside_a = row0 + row < M && k0 + ka < K;
            const bool inside_b = k0 + kb < K && column0 + column < N;
            tile_a[ka][row] = inside_a ? A[size_t(row0 + row) * K + k0 + ka] : 0.0f;
            tile_b[kb][column] = inside_b ? B[size_t(k0 + kb) * N + column0 + column] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            const float4 a_low = quad(&tile_a[k][4 * ty]), a_high = quad(&tile_a[k][HALF + 4 * ty]);
            const float4 b_low = quad(&tile_b[k][4 * tx]), b_high = quad(&tile_b[k][HALF + 4 * tx]);
            const float a[8] = {a_low.x, a_low.y, a_low.z, a_low.w, a_high.x, a_high.y, a_high.z, a_high.w};
            const float b[8] = {b_low.x, b_low.y, b_low.z, b_low.w, b_high.x, b_high.y, b_high.z, b_high.w};
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int row = row0 + 4 * ty + i % 4 + HALF * (i / 4);
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            const int column = column0 + 4 * tx + j % 4 + HALF * (j / 4);
            if (row < M && column < N) C[size_t(row) * N + column] = sum[i][j];
        }
    }
}
