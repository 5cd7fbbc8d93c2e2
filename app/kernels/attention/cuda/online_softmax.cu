// A block holds 64 queries of one head and walks over the keys in tiles of 64: scores of the tile, the running
// maximum and sum of each query, outputs rescaled by what the maximum rose, weights times V. Scores never leave
// the SM. Threads stand 16 x 16: a thread has the queries y + 16 i and of a score tile the keys x + 16 j, of the
// output the columns 4 x + 64 q. Shared tiles are float32: queries, then keys or values (one after the other),
// each 64 rows padded to head_dim + 4, then the weights, rows padded to 68. Grid: query tiles (x), heads (y).
using Half = unsigned short;  // the 16 bits of a float16

constexpr int ROWS = 64;
constexpr int KEYS = 64;
constexpr int THREADS = 256;
constexpr int EDGE = 16;
constexpr int PER_THREAD = 4;
constexpr int HALVES = 8;  // of one 16-byte load
constexpr int WEIGHT_PITCH = KEYS + 4;
constexpr float LOG2_E = 1.4426950408889634f;
constexpr float LOWEST = -3.0e38f;  // below every score

__device__ float widened(unsigned half) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(static_cast<Half>(half)));
    return value;
}

// Two floats as halves, `low` in the lower 16 bits.
__device__ unsigned rounded(float low, float high) {
    unsigned pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}

__device__ float4 widened(unsigned first, unsigned second) {
    return {widened(first & 0xffff), widened(first >> 16), widened(second & 0xffff), widened(second >> 16)};
}

// 64 rows from row0 on, zeros beyond the last.
template <int D>
__device__ void load_tile(float* tile, const Half* matrix, int row0, int length) {
    for (int at = threadIdx.x; at < ROWS * D / HALVES; at += THREADS) {
        const int row = at / (D / HALVES), column = at % (D / HALVES) * HALVES;
        uint4 halves = {0, 0, 0, 0};
        if (row0 + row < length)
            halves = *reinterpret_cast<const uint4*>(matrix + size_t(row0 + row) * D + column);
        float4* to = reinterpret_cast<float4*>(tile + row * (D + 4) + column);
        to[0] = widened(halves.x, halves.y);
        to[1] = widened(halves.z, halves.w);
    }
}

__device__ float4 at4(const float* place) { return *reinterpret_cast<const float4*>(place); }

template <int D>
__device__ void multiply_scores(float (&scores)[4][4], const float* queries, const float* keys, int x, int y) {
#pragma unroll 4
    for (int k = 0; k < D; k += 4) {
        float4 q[PER_THREAD], key[PER_THREAD];
#pragma unroll
        for (int i = 0; i < PER_THREAD; ++i) {
            q[i] = at4(queries + (y + EDGE * i) * (D + 4) + k);
            key[i] = at4(keys + (x + EDGE * i) * (D + 4) + k);
        }
#pragma unroll
        for (int i = 0; i < PER_THREAD; ++i)
#pragma unroll
            for (int j = 0; j < PER_THREAD; ++j)
                scores[i][j] +=
                    q[i].x * key[j].x + q[i].y * key[j].y + q[i].z * key[j].z + q[i].w * key[j].w;
    }
}

template <int D>
__device__ void add_values(float (&outputs)[4][D / 16], const float* weights, const float* values, int x,
                           int y) {
#pragma unroll 2
    for (int key = 0; key < KEYS; key += 4) {
        float weight[PER_THREAD][4];
#pragma unroll
        for (int i = 0; i < PER_THREAD; ++i)
            *reinterpret_cast<float4*>(weight[i]) = at4(weights + (y + EDGE * i) * WEIGHT_PITCH + key);
#pragma unroll
        for (int step = 0; step < 4; ++step)
#pragma unroll
            for (int q = 0; q < D / 64; ++q) {
                const float4 value = at4(values + (key + step) * (D + 4) + 4 * x + 64 * q);
#pragma unroll
                for (int i = 0; i < PER_THREAD; ++i) {
                    outputs[i][4 * q] += weight[i][step] * value.x;
                    outputs[i][4 * q + 1] += weight[i][step] * value.y;
                    outputs[i][4 * q + 2] += weight[i][step] * value.z;
                    outputs[i][4 * q + 3] += weight[i][step] * value.w;
                }
            }
    }
}

// Scores, scaled to powers of two, become weights; returns what earlier outputs and sums must be multiplied by.
__device__ float weigh(float (&scores)[4], float& highest, float& sum) {
    float peak = fmaxf(fmaxf(scores[0], scores[1]), fmaxf(scores[2], scores[3]));
    for (int apart = EDGE / 2; apart > 0; apart /= 2)
        peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, apart));
    peak = fmaxf(peak, highest);
    const float rescale = exp2f(highest - peak);
    highest = peak;
    sum *= rescale;
#pragma unroll
    for (int j = 0; j < PER_THREAD; ++j) {
        scores[j] = exp2f(scores[j] - peak);
        sum += scores[j];
    }
    return rescale;
}

template <int D>
__device__ void attend(const Half* Q, const Half* K, const Half* V, Half* O, int length) {
    extern __shared__ float4 shared[];
    float* queries = reinterpret_cast<float*>(shared);
    float* tile = queries + ROWS * (D + 4);
    float* weights = tile + KEYS * (D + 4);
    const int x = threadIdx.x % EDGE, y = threadIdx.x / EDGE, row0 = blockIdx.x * ROWS;
    const float scale = LOG2_E * rsqrtf(float(D));
    float outputs[PER_THREAD][D / 16] = {}, sum[PER_THREAD] = {};
    float highest[PER_THREAD] = {LOWEST, LOWEST, LOWEST, LOWEST};
    load_tile<D>(queries, Q, row0, length);
    for (int key0 = 0; key0 < length; key0 += KEYS) {
        load_tile<D>(tile, K, key0, length);
        __syncthreads();
        float scores[PER_THREAD][PER_THREAD] = {};
        multiply_scores<D>(scores, queries, tile, x, y);
#pragma unroll
        for (int i = 0; i < PER_THREAD; ++i) {
#pragma unroll
            for (int j = 0; j < PER_THREAD; ++j)
                scores[i][j] = key0 + x + EDGE * j < length ? scores[i][j] * scale : LOWEST;
            const float rescale = weigh(scores[i], highest[i], sum[i]);
#pragma unroll
            for (int j = 0; j < PER_THREAD; ++j)
                weights[(y + EDGE * i) * WEIGHT_PITCH + x + EDGE * j] = scores[i][j];
#pragma unroll
            for (int q = 0; q < D / 16; ++q) outputs[i][q] *= rescale;
        }
        __syncthreads();
        load_tile<D>(tile, V, key0, length);
        __syncthreads();
        add_values<D>(outputs, weights, tile, x, y);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < PER_THREAD; ++i) {
        for (int apart = EDGE / 2; apart > 0; apart /= 2) sum[i] += __shfl_xor_sync(~0u, sum[i], apart);
        const int row = row0 + y + EDGE * i;
        const float inverse = 1.0f / sum[i];
#pragma unroll
        for (int q = 0; q < D / 64; ++q) {
            const float* out = outputs[i] + 4 * q;
            const uint2 halves = {rounded(out[0] * inverse, out[1] * inverse),
                                  rounded(out[2] * inverse, out[3] * inverse)};
            if (row < length) *reinterpret_cast<uint2*>(O + size_t(row) * D + 4 * x + 64 * q) = halves;
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    online_softmax(const Half* Q, const Half* K, const Half* V, Half* O, int heads, int length, int head_dim) {
    const size_t head = size_t(blockIdx.y) * length * head_dim;
    if (head_dim == 128)
        attend<128>(Q + head, K + head, V + head, O + head, length);
    else
        attend<64>(Q + head, K + head, V + head, O + head, length);
}
