// A block of 128 threads computes 64 x 64 results from 64 x 32 tiles of A and 32 x 64 tiles of B, turned into
// floats on their way to shared memory. A thread holds 8 x 4 results: multiply-adds of the ordinary pipe.
// Tiles are zero beyond the matrices.
using Half = unsigned short;  // the 16 bits of a float16

constexpr int TILE = 64;
constexpr int DEPTH = 32;
constexpr int THREADS = 128;
constexpr int ROWS = 8;     // results of a thread, one below another
constexpr int COLUMNS = 4;  // and side by side

__device__ float to_float(Half bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    fma_pipe(const Half* A, const Half* B, float* C, int M, int N, int K) {
    __shared__ float tile_a[TILE][DEPTH + 1];
    __align__(16) __shared__ float tile_b[DEPTH][TILE];
    const size_t row0 = size_t(blockIdx.y) * TILE, column0 = size_t(blockIdx.x) * TILE;
    const int left = threadIdx.x % 16 * COLUMNS, top = threadIdx.x / 16 * ROWS;

    float sums[ROWS][COLUMNS] = {};
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        for (int at = threadIdx.x; at < TILE * DEPTH; at += THREADS) {
            const size_t row = row0 + at / DEPTH, k = k0 + at % DEPTH;
            tile_a[at / DEPTH][at % DEPTH] = row < M && k < K ? to_float(A[row * K + k]) : 0.0f;
        }
        for (int at = threadIdx.x; at < DEPTH * TILE; at += THREADS) {
            const size_t k = k0 + at / TILE, column = column0 + at % TILE;
            tile_b[at / TILE][at % TILE] = k < K && column < N ? to_float(B[k * N + column]) : 0.0f;
        }
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < DEPTH; ++k) {
            const float4 b = *reinterpret_cast<const float4*>(&tile_b[k][left]);
#pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                const float a = tile_a[top + r][k];
                sums[r][0] = fmaf(a, b.x, sums[r][0]);
                sums[r][1] = fmaf(a, b.y, sums[r][1]);
                sums[r][2] = fmaf(a, b.z, sums[r][2]);
                sums[r][3] = fmaf(a, b.w, sums[r][3]);
            }
        }
        __syncthreads();
    }
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLUMNS; ++c) {
            const size_t row = row0 + top + r, column = column0 + left + c;
            if (row < M && column < N) C[row * N + column] = sums[r][c];
        }
}
