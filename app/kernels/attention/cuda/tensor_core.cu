// online_softmax on the tensor pipe. A block of four warps holds 128 queries of one head, 32 a warp, and walks over
// the keys in tiles of 64. With group = lane / 4 and pair = lane % 4 a lane has of a 16 x 8 result the floats
// (group, 2 pair) and (group + 8, 2 pair), each with its right neighbour. Scores lie so in registers, and that is
// also how mma.sync wants its left operand: rounded to halves they multiply V without leaving the warp.
// Shared tiles hold rows of head_dim halves; a row's 16-byte chunk c lies at place c ^ (row % 8), so that the eight
// rows of an ldmatrix meet all banks once. K of the next tile is copied during the product with V, V of this tile
// during scores and softmax. Grid: query tiles (x), heads (y).
using Half = unsigned short;  // the 16 bits of a float16

constexpr int ROWS = 128;
constexpr int KEYS = 64;
constexpr int WARPS = 4;
constexpr int THREADS = 32 * WARPS;
constexpr int BLOCKS_OF_ROWS = ROWS / WARPS / 16;  // 16-row results a warp
constexpr int CHUNK = 8;                           // halves of 16 bytes
constexpr float LOG2_E = 1.4426950408889634f;
constexpr float LOWEST = -3.0e38f;  // below every score

__device__ void copy_chunk(unsigned to, const Half* from, bool exists) {
    const int bytes = exists ? 16 : 0;  // what is not read is filled with zeros
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}

__device__ void wait_for_copies() {
    asm volatile("cp.async.wait_all;" ::: "memory");
}

__device__ void load_matrices(unsigned (&m)[4], unsigned from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
                 : "r"(from)
                 : "memory");
}

__device__ void load_transposed(unsigned (&m)[4], unsigned from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
                 : "r"(from)
                 : "memory");
}

__device__ void multiply_add(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ float power_of_two(float exponent) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent));
    return power;
}

// Two floats as halves, `low` in the lower 16 bits.
__device__ unsigned rounded(float low, float high) {
    unsigned pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}

template <int D>
__device__ unsigned chunk_at(unsigned tile, int row, int chunk) {
    return tile + row * (2 * D) + ((chunk ^ (row & 7)) << 4);
}

template <int D, int TILE_ROWS>
__device__ void copy_tile(unsigned tile, const Half* matrix, int row0, int length) {
#pragma unroll
    for (int at = threadIdx.x; at < TILE_ROWS * D / CHUNK; at += THREADS) {
        const int row = at / (D / CHUNK), chunk = at % (D / CHUNK);
        const bool exists = row0 + row < length;
        copy_chunk(chunk_at<D>(tile, row, chunk), matrix + size_t(exists ? row0 + row : 0) * D + chunk * CHUNK,
                   exists);
    }
}

using Scores = float[BLOCKS_OF_ROWS][KEYS / 8][4];
using Weights = unsigned[BLOCKS_OF_ROWS][KEYS / 16][4];
using OfRows = float[BLOCKS_OF_ROWS][2];  // rows group and group + 8

template <int D>
__device__ void multiply_scores(Scores& scores, unsigned queries, unsigned keys, int warp, int lane) {
#pragma unroll
    for (int k = 0; k < D / 16; ++k) {
        unsigned a[BLOCKS_OF_ROWS][4];
#pragma unroll
        for (int i = 0; i < BLOCKS_OF_ROWS; ++i) {
            const int row = (warp * BLOCKS_OF_ROWS + i) * 16 + lane % 16;
            load_matrices(a[i], chunk_at<D>(queries, row, 2 * k + lane / 16));
        }
#pragma unroll
        for (int n = 0; n < KEYS / 16; ++n) {
            unsigned b[4];
            load_matrices(b, chunk_at<D>(keys, 16 * n + lane / 16 * 8 + lane % 8, 2 * k + lane / 8 % 2));
#pragma unroll
            for (int i = 0; i < BLOCKS_OF_ROWS; ++i) {
                multiply_add(scores[i][2 * n], a[i], b[0], b[1]);
                multiply_add(scores[i][2 * n + 1], a[i], b[2], b[3]);
            }
        }
    }
}

template <int D>
__device__ void add_values(float (&outputs)[BLOCKS_OF_ROWS][D / 8][4], const Weights& weights, unsigned values,
                           int lane) {
#pragma unroll
    for (int k = 0; k < KEYS / 16; ++k)
#pragma unroll
        for (int n = 0; n < D / 16; ++n) {
            unsigned b[4];
            load_transposed(b, chunk_at<D>(values, 16 * k + lane % 16, 2 * n + lane / 16));
#pragma unroll
            for (int i = 0; i < BLOCKS_OF_ROWS; ++i) {
                multiply_add(outputs[i][2 * n], weights[i][k], b[0], b[1]);
                multiply_add(outputs[i][2 * n + 1], weights[i][k], b[2], b[3]);
            }
        }
}

// Keys beyond the last get no weight.
__device__ void hide(Scores& scores, int keys, int lane) {
#pragma unroll
    for (int i = 0; i < BLOCKS_OF_ROWS; ++i)
#pragma unroll
        for (int n = 0; n < KEYS / 8; ++n)
#pragma unroll
            for (int q = 0; q < 4; ++q)
                if (8 * n + 2 * (lane % 4) + q % 2 >= keys) scores[i][n][q] = LOWEST;
}

// One of the two rows of a block of 16: its weights, and what its earlier outputs must be multiplied by.
__device__ float weigh(float (&scores)[KEYS / 8][4], int half, float scale, float& highest, float& sum) {
    float peak = highest;
#pragma unroll
    for (int n = 0; n < KEYS / 8; ++n)
        peak = fmaxf(peak, fmaxf(scores[n][2 * half], scores[n][2 * half + 1]));
    peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, 1));
    peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, 2));
    const float rescale = power_of_two((highest - peak) * scale), offset = peak * scale;
    highest = peak;
    float added = 0.0f;
#pragma unroll
    for (int n = 0; n < KEYS / 8; ++n)
#pragma unroll
        for (int q = 2 * half; q < 2 * half + 2; ++q) {
            scores[n][q] = power_of_two(scores[n][q] * scale - offset);
            added += scores[n][q];
        }
    sum = sum * rescale + added;
    return rescale;
}

template <int D>
__device__ void softmax(Scores& scores, Weights& weights, float (&outputs)[BLOCKS_OF_ROWS][D / 8][4],
                        OfRows& highest, OfRows& sum) {
    const float scale = LOG2_E * rsqrtf(float(D));
#pragma unroll
    for (int i = 0; i < BLOCKS_OF_ROWS; ++i) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const float rescale = weigh(scores[i], half, scale, highest[i][half], sum[i][half]);
#pragma unroll
            for (int n = 0; n < D / 8; ++n) {
                outputs[i][n][2 * half] *= rescale;
                outputs[i][n][2 * half + 1] *= rescale;
            }
        }
#pragma unroll
        for (int n = 0; n < KEYS / 8; ++n)
#pragma unroll
            for (int half = 0; half < 2; ++half)
                weights[i][n / 2][n % 2 * 2 + half] =
                    rounded(scores[i][n][2 * half], scores[i][n][2 * half + 1]);
    }
}

template <int D>
__device__ void write_rows(Half* O, float (&outputs)[BLOCKS_OF_ROWS][D / 8][4], OfRows& sum, int row0,
                           int length, int lane) {
#pragma unroll
    for (int i = 0; i < BLOCKS_OF_ROWS; ++i)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float all = sum[i][half];
            all += __shfl_xor_sync(~0u, all, 1);
            all += __shfl_xor_sync(~0u, all, 2);
            const float inverse = 1.0f / all;
            const int row = row0 + 16 * i + 8 * half + lane / 4;
            if (row >= length) continue;
            unsigned* to = reinterpret_cast<unsigned*>(O + size_t(row) * D);
#pragma unroll
            for (int n = 0; n < D / 8; ++n)
                to[4 * n + lane % 4] =
                    rounded(outputs[i][n][2 * half] * inverse, outputs[i][n][2 * half + 1] * inverse);
        }
}

template <int D>
__device__ void attend(const Half* Q, const Half* K, const Half* V, Half* O, int length) {
    extern __shared__ uint4 shared[];
    const unsigned queries = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    const unsigned keys = queries + 2 * ROWS * D, values = keys + 2 * KEYS * D;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row0 = blockIdx.x * ROWS;
    float outputs[BLOCKS_OF_ROWS][D / 8][4] = {};
    OfRows highest, sum = {};
    for (int i = 0; i < BLOCKS_OF_ROWS; ++i) highest[i][0] = highest[i][1] = LOWEST;
    copy_tile<D, ROWS>(queries, Q, row0, length);
    copy_tile<D, KEYS>(keys, K, 0, length);
    for (int key0 = 0; key0 < length; key0 += KEYS) {
        wait_for_copies();
        __syncthreads();  // K is there, and nobody reads V of the tile before
        copy_tile<D, KEYS>(values, V, key0, length);
        Scores scores = {};
        multiply_scores<D>(scores, queries, keys, warp, lane);
        if (key0 + KEYS > length) hide(scores, length - key0, lane);
        Weights weights;
        softmax<D>(scores, weights, outputs, highest, sum);
        wait_for_copies();
        __syncthreads();  // V is there, and nobody reads K any more
        if (key0 + KEYS < length) copy_tile<D, KEYS>(keys, K, key0 + KEYS, length);
        add_values<D>(outputs, weights, values, lane);
    }
    write_rows<D>(O, outputs, sum, row0 + warp * 16 * BLOCKS_OF_ROWS, length, lane);
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    tensor_core(const Half* Q, const Half* K, const Half* V, Half* O, int heads, int length, int head_dim) {
    const size_t head = size_t(blockIdx.y) * length * head_dim;
    if (head_dim == 128)
        attend<128>(Q + head, K + head, V + head, O + head, length);
    else
        attend<64>(Q + head, K + head, V + head, O + head, length);
}
