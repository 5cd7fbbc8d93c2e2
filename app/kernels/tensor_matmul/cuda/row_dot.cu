// One row of A without tensor cores: every value of B serves one multiply-add, so reading B is all there is to do,
// and it is read best in long pieces.
//
// block:  blockIdx.x chooses COLUMNS results, each the dot product of a row of B with the row of A. Its threads
//         lie along k: a block reads 16 THREADS bytes of each of COLUMNS rows in one piece, DEPTH times over,
//         before it uses the first.
// thread: eight neighbouring terms of every piece, multiplied and added in float32.
// shared: the warps' sums [WARPS][COLUMNS], added in the order of the warps.
// options: -DBFLOAT16=1.
#ifndef BFLOAT16
#define BFLOAT16 0
#endif
constexpr int COLUMNS = 4, THREADS = 256, BLOCKS_PER_SM = 4, DEPTH = 2, OCTET = 8, WARPS = THREADS / 32;
static_assert(COLUMNS <= THREADS, "a thread stores one result");

using Element = unsigned short;  // the bits of an fp16 or bf16 value

// Eight terms of a row from k on; zero beyond `end`.
template <bool VECTOR>
__device__ __forceinline__ uint4 load_octet(const Element* row, int k, int end) {
    if constexpr (VECTOR) {
        return k < end ? __ldg(reinterpret_cast<const uint4*>(row + k)) : uint4{0u, 0u, 0u, 0u};
    } else {
        unsigned words[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const unsigned low = k + 2 * i < end ? row[k + 2 * i] : 0u;
            const unsigned high = k + 2 * i + 1 < end ? row[k + 2 * i + 1] : 0u;
            words[i] = low | high << 16;
        }
        return uint4{words[0], words[1], words[2], words[3]};
    }
}

__device__ __forceinline__ float2 widened(unsigned word) {
    float2 pair;
#if BFLOAT16
    pair.x = __uint_as_float(word << 16);
    pair.y = __uint_as_float(word & 0xffff0000u);
#else
    asm("{ .reg .b16 low, high; mov.b32 {low, high}, %2; cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }"
        : "=f"(pair.x), "=f"(pair.y)
        : "r"(word));
#endif
    return pair;
}

__device__ __forceinline__ Element rounded(float value) {
    Element bits;
#if BFLOAT16
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
#else
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
#endif
    return bits;
}

__device__ __forceinline__ void widen(uint4 octet, float2 (&pairs)[4]) {
    pairs[0] = widened(octet.x);
    pairs[1] = widened(octet.y);
    pairs[2] = widened(octet.z);
    pairs[3] = widened(octet.w);
}

__device__ __forceinline__ float dot(const float2 (&a)[4], const float2 (&b)[4], float sum) {
#pragma unroll
    for (int i = 0; i < 4; ++i) sum = fmaf(a[i].y, b[i].y, fmaf(a[i].x, b[i].x, sum));
    return sum;
}

__device__ __forceinline__ float warp_sum(float sum) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
    return sum;
}

// Rows of B beyond N repeat the last one; their results are never stored.
template <int AHEAD, bool VECTOR>
__device__ __forceinline__ void multiply(const Element* A, const Element* B, int N, int K, float (&sum)[COLUMNS]) {
#pragma unroll 1
    for (int k0 = OCTET * threadIdx.x; k0 < K; k0 += OCTET * THREADS * AHEAD) {
        uint4 b[AHEAD][COLUMNS];
#pragma unroll
        for (int d = 0; d < AHEAD; ++d)
#pragma unroll
            for (int column = 0; column < COLUMNS; ++column) {
                const Element* row = B + size_t(min(int(blockIdx.x) * COLUMNS + column, N - 1)) * K;
                b[d][column] = load_octet<VECTOR>(row, k0 + OCTET * THREADS * d, K);
            }
#pragma unroll
        for (int d = 0; d < AHEAD; ++d) {
            float2 left[4], right[4];
            widen(load_octet<VECTOR>(A, k0 + OCTET * THREADS * d, K), left);
#pragma unroll
            for (int column = 0; column < COLUMNS; ++column) {
                widen(b[d][column], right);
                sum[column] = dot(left, right, sum[column]);
            }
        }
    }
}

__device__ __forceinline__ bool is_aligned(const void* pointer) { return reinterpret_cast<size_t>(pointer) % 16 == 0; }

// M is one: more rows are outside the stage's contract.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    row_dot(const Element* A, const Element* B, Element* C, int M, int N, int K) {
    __shared__ float sums[WARPS][COLUMNS];
    float sum[COLUMNS] = {};
    if (K % OCTET == 0 && is_aligned(A) && is_aligned(B))
        multiply<DEPTH, true>(A, B, N, K, sum);
    else
        multiply<1, false>(A, B, N, K, sum);
#pragma unroll
    for (int column = 0; column < COLUMNS; ++column) {
        const float total = warp_sum(sum[column]);
        if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32][column] = total;
    }
    __syncthreads();
    const int column = blockIdx.x * COLUMNS + threadIdx.x;
    if (threadIdx.x >= COLUMNS || column >= N) return;
    float total = 0.0f;
#pragma unroll
    for (int warp = 0; warp < WARPS; ++warp) total += sums[warp][threadIdx.x];
    C[column] = rounded(total);
}
