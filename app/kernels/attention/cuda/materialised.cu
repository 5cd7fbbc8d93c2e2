// Three launches of one kernel, told apart by `step`. 0: scores = Q·Kᵀ/√d in float32 to `scores`, (heads, length,
// length). 1: each row of scores becomes its softmax, a block a row. 2: O = scores·V. Products are made of tiles
// of 64 x 64 results, 4 x 4 a thread, from 16-deep shared tiles that hold operands by columns. Grid: tiles of
// scores (x: keys, y: queries) and heads (z), the same for all three launches.
using Half = unsigned short;  // the 16 bits of a float16

constexpr int TILE = 64;
constexpr int DEPTH = 16;
constexpr int PER_THREAD = 4;
constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;
constexpr int EDGE = TILE / PER_THREAD;  // threads along a side of the tile
constexpr float LOWEST = -3.0e38f;  // below every score

__device__ float widened(Half half) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
    return value;
}

__device__ Half rounded(float value) {
    Half half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
    return half;
}

// store(row, column, sum of first(row, k) second(k, column)) for a tile; operands must be 0 beyond their edges.
// COLUMNS_FAST: neighbouring threads load neighbouring columns of `second`, else neighbouring k.
template <bool COLUMNS_FAST, class First, class Second, class Store>
__device__ void multiply_tile(int row0, int column0, int terms, First first, Second second, Store store) {
    __shared__ float4 tile_a[DEPTH][EDGE + 1];
    __shared__ float4 tile_b[DEPTH][EDGE + 1];
    const int x = threadIdx.x % EDGE, y = threadIdx.x / EDGE;
    float sums[PER_THREAD][PER_THREAD] = {};
    for (int k0 = 0; k0 < terms; k0 += DEPTH) {
        for (int at = threadIdx.x; at < TILE * DEPTH; at += THREADS) {
            const int k = at % DEPTH, place = at / DEPTH;
            reinterpret_cast<float*>(tile_a[k])[place] = first(row0 + place, k0 + k);
            const int kb = COLUMNS_FAST ? at / TILE : k, column = COLUMNS_FAST ? at % TILE : place;
            reinterpret_cast<float*>(tile_b[kb])[column] = second(k0 + kb, column0 + column);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            const float4 a4 = tile_a[k][y], b4 = tile_b[k][x];
            const float a[] = {a4.x, a4.y, a4.z, a4.w}, b[] = {b4.x, b4.y, b4.z, b4.w};
#pragma unroll
            for (int i = 0; i < PER_THREAD; ++i)
#pragma unroll
                for (int j = 0; j < PER_THREAD; ++j) sums[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < PER_THREAD; ++i)
        for (int j = 0; j < PER_THREAD; ++j)
            store(row0 + y * PER_THREAD + i, column0 + x * PER_THREAD + j, sums[i][j]);
}

struct Peak {
    float highest, sum;  // of exp(score - highest)
};

__device__ Peak merged(Peak a, Peak b) {
    const float highest = fmaxf(a.highest, b.highest);
    return {highest, a.sum * expf(a.highest - highest) + b.sum * expf(b.highest - highest)};
}

__device__ void softmax_row(float* row, int length) {
    __shared__ Peak of_warps[WARPS];
    Peak peak = {LOWEST, 0.0f};
    for (int key = threadIdx.x; key < length; key += THREADS) peak = merged(peak, {row[key], 1.0f});
    for (int apart = 16; apart > 0; apart /= 2)
        peak = merged(peak, {__shfl_xor_sync(~0u, peak.highest, apart), __shfl_xor_sync(~0u, peak.sum, apart)});
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = peak;
    __syncthreads();
    peak = of_warps[0];
    for (int warp = 1; warp < WARPS; ++warp) peak = merged(peak, of_warps[warp]);
    for (int key = threadIdx.x; key < length; key += THREADS)
        row[key] = expf(row[key] - peak.highest) / peak.sum;
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(THREADS)
    materialised(const Half* Q, const Half* K, const Half* V, Half* O, float* scores, int heads, int length,
                 int head_dim, int step) {
    const size_t head = blockIdx.z, of_head = head * length * head_dim;
    scores += head * length * length;
    Q += of_head, K += of_head, V += of_head, O += of_head;
    const int row0 = blockIdx.y * TILE;
    const auto half_at = [=](const Half* matrix, int row, int column) {
        return row < length && column < head_dim ? widened(matrix[size_t(row) * head_dim + column]) : 0.0f;
    };
    if (step == 0) {
        const float scale = rsqrtf(float(head_dim));
        multiply_tile<false>(
            row0, blockIdx.x * TILE, head_dim, [=](int row, int k) { return half_at(Q, row, k); },
            [=](int k, int key) { return half_at(K, key, k); },
            [=](int row, int key, float sum) {
                if (row < length && key < length) scores[size_t(row) * length + key] = sum * scale;
            });
    } else if (step == 1) {
        const int blocks = gridDim.x * gridDim.y;
        for (int row = blockIdx.y * gridDim.x + blockIdx.x; row < length; row += blocks)
            softmax_row(scores + size_t(row) * length, length);
    } else {
        for (int column0 = blockIdx.x * TILE; column0 < head_dim; column0 += gridDim.x * TILE)
            multiply_tile<true>(
                row0, column0, length,
                [=](int row, int key) {
                    return row < length && key < length ? scores[size_t(row) * length + key] : 0.0f;
                },
                [=](int key, int column) { return half_at(V, key, column); },
                [=](int row, int column, float sum) {
                    if (row < length && column < head_dim) O[size_t(row) * head_dim + column] = rounded(sum);
                });
    }
}
