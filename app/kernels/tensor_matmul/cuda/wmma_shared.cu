// A block multiplies 128 x 128 results, 32 terms of the sum at a time; wmma reads its fragments from shared memory, where
// each element of A serves 128 columns and each of B 128 rows. Loading and multiplying take turns.
//
// block:  eight warps, two below each other and four across. warp: 64 x 32 results, 4 x 2 fragments.
// shared: a, b [128 rows][32 k + 8]: the pad keeps rows 80 bytes apart, so that eight of them lie in different banks. When
//         the sum is done, a warp's results as floats [16][16] on their way to rounding lie in the same place.
// options: -DBFLOAT16=1.
#ifndef BFLOAT16
#define BFLOAT16 0
#endif
constexpr int EDGE = 16, BM = 128, BN = 128, BK = 32, PITCH = BK + 8;
constexpr int WARPS = 8, WARP_ROWS = 64, WARP_COLUMNS = 32, WARPS_ACROSS = BN / WARP_COLUMNS, THREADS = 32 * WARPS;
constexpr int DOWN = WARP_ROWS / EDGE, ACROSS = WARP_COLUMNS / EDGE, OCTET = 8, OCTETS = BK / OCTET;

using Element = unsigned short;  // the bits of an fp16 or bf16 value

// How many registers a lane holds of A or B; which lane holds which element is the hardware's affair.
#if BFLOAT16
constexpr int REGISTERS = 4;
#else
constexpr int REGISTERS = 8;
#endif

struct Operand {
    unsigned words[REGISTERS];
};

#if BFLOAT16
#define LOAD(which, order)                                                                                       \
    asm volatile("wmma.load." which ".sync.aligned." order ".m16n16k16.bf16 {%0, %1, %2, %3}, [%4], %5;"          \
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "l"(from), "r"(stride) : "memory")
#else
#define LOAD(which, order)                                                                                       \
    asm volatile("wmma.load." which ".sync.aligned." order                                                       \
                 ".m16n16k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"                                     \
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]), "=r"(w[4]), "=r"(w[5]), "=r"(w[6]), "=r"(w[7]) \
                 : "l"(from), "r"(stride) : "memory")
#endif

__device__ __forceinline__ Operand load_a(const Element* from, int stride) {
    Operand operand;
    unsigned* w = operand.words;
    LOAD("a", "row");
    return operand;
}

__device__ __forceinline__ Operand load_b(const Element* from, int stride) {
    Operand operand;
    unsigned* w = operand.words;
    LOAD("b", "col");  // B is (n, k): its columns run along k
    return operand;
}

#define SUMS "{%0, %1, %2, %3, %4, %5, %6, %7}"
__device__ __forceinline__ void multiply_add(float (&d)[8], const Operand& a, const Operand& b) {
    const unsigned *x = a.words, *y = b.words;
#if BFLOAT16
    asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32 " SUMS
                 ", {%8, %9, %10, %11}, {%12, %13, %14, %15}, " SUMS ";"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]));
#else
    asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " SUMS
                 ", {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, " SUMS ";"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7]), "r"(y[0]),
                   "r"(y[1]), "r"(y[2]), "r"(y[3]), "r"(y[4]), "r"(y[5]), "r"(y[6]), "r"(y[7]));
#endif
}

__device__ __forceinline__ void store_sums(float* to, const float (&d)[8]) {
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;" ::"l"(to),
                 "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(d[3]), "f"(d[4]), "f"(d[5]), "f"(d[6]), "f"(d[7]), "r"(EDGE)
                 : "memory");
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

// Eight terms of a row from k on; zero outside the matrix. VECTOR: rows are multiples of 16 bytes.
template <bool VECTOR>
__device__ __forceinline__ uint4 load_octet(const Element* matrix, int row, int rows, int k, int K) {
    const Element* from = matrix + size_t(row) * K + k;
    if constexpr (VECTOR) {
        return row < rows && k < K ? __ldg(reinterpret_cast<const uint4*>(from)) : uint4{0u, 0u, 0u, 0u};
    } else {
        unsigned words[OCTET / 2];
#pragma unroll
        for (int i = 0; i < OCTET / 2; ++i) {
            const unsigned low = row < rows && k + 2 * i < K ? from[2 * i] : 0u;
            const unsigned high = row < rows && k + 2 * i + 1 < K ? from[2 * i + 1] : 0u;
            words[i] = low | high << 16;
        }
        return uint4{words[0], words[1], words[2], words[3]};
    }
}

template <bool VECTOR>
__device__ __forceinline__ void load_tile(Element* tile, const Element* matrix, int row0, int rows, int term, int K) {
#pragma unroll
    for (int i = threadIdx.x; i < BM * OCTETS; i += THREADS) {
        const int row = i / OCTETS, k = i % OCTETS * OCTET;
        *reinterpret_cast<uint4*>(tile + row * PITCH + k) = load_octet<VECTOR>(matrix, row0 + row, rows, term + k, K);
    }
}

__device__ __forceinline__ void multiply_tiles(const Element* a, const Element* b, float (&sum)[DOWN][ACROSS][8]) {
#pragma unroll
    for (int k = 0; k < BK; k += EDGE) {
        Operand rows[DOWN], columns[ACROSS];
#pragma unroll
        for (int i = 0; i < DOWN; ++i) rows[i] = load_a(a + i * EDGE * PITCH + k, PITCH);
#pragma unroll
        for (int j = 0; j < ACROSS; ++j) columns[j] = load_b(b + j * EDGE * PITCH + k, PITCH);
#pragma unroll
        for (int i = 0; i < DOWN; ++i)
#pragma unroll
            for (int j = 0; j < ACROSS; ++j) multiply_add(sum[i][j], rows[i], columns[j]);
    }
}

template <bool VECTOR>
__device__ __forceinline__ void sum_products(const Element* A, const Element* B, int M, int N, int K, Element* tile_a,
                                             Element* tile_b, int warp_row, int warp_column,
                                             float (&sum)[DOWN][ACROSS][8]) {
    for (int term = 0; term < K; term += BK) {
        load_tile<VECTOR>(tile_a, A, blockIdx.y * BM, M, term, K);
        load_tile<VECTOR>(tile_b, B, blockIdx.x * BN, N, term, K);
        __syncthreads();
        multiply_tiles(tile_a + warp_row * PITCH, tile_b + warp_column * PITCH, sum);
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    wmma_shared(const Element* A, const Element* B, Element* C, int M, int N, int K) {
    __shared__ alignas(32) Element tiles[(BM + BN) * PITCH];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int warp_row = warp / WARPS_ACROSS * WARP_ROWS, warp_column = warp % WARPS_ACROSS * WARP_COLUMNS;
    float sum[DOWN][ACROSS][8] = {};
    if (K % OCTET == 0)
        sum_products<true>(A, B, M, N, K, tiles, tiles + BM * PITCH, warp_row, warp_column, sum);
    else
        sum_products<false>(A, B, M, N, K, tiles, tiles + BM * PITCH, warp_row, warp_column, sum);

    float* results = reinterpret_cast<float*>(tiles) + warp * EDGE * EDGE;
#pragma unroll
    for (int i = 0; i < DOWN; ++i)
#pragma unroll
        for (int j = 0; j < ACROSS; ++j) {
            store_sums(results, sum[i][j]);
            __syncwarp();
            for (int at = lane; at < EDGE * EDGE; at += 32) {
                const int r = blockIdx.y * BM + warp_row + i * EDGE + at / EDGE;
                const int c = blockIdx.x * BN + warp_column + j * EDGE + at % EDGE;
                if (r < M && c < N) C[size_t(r) * N + c] = rounded(results[at]);
            }
            __syncwarp();
        }
}
