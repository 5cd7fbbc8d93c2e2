// A warp multiplies one tile of 16 x 16 results, 16 terms of the sum at a time. wmma reads its fragments straight from
// global memory: what neighbouring warps share, the caches must give again.
//
// block:  four warps, two by two: 32 x 32 results.
// shared: a warp's patch of A and of B, [16 rows][16 k], used where a tile reaches over the edge or rows are no multiple of
//         16 bytes; its results as floats [16][16] on their way to rounding.
// options: -DBFLOAT16=1.
#ifndef BFLOAT16
#define BFLOAT16 0
#endif
constexpr int EDGE = 16, WARPS = 4, WARPS_ACROSS = 2, TILE = EDGE * WARPS_ACROSS, THREADS = 32 * WARPS;
constexpr int ROW_ELEMENTS = 8;  // the stride between rows must be a multiple of 16 bytes

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

// 16 rows from `row`, 16 terms from `term` on, zeros outside the matrix.
__device__ __forceinline__ void copy_patch(Element* patch, const Element* matrix, int row, int rows, int term, int K) {
    __syncwarp();
    for (int i = threadIdx.x % 32; i < EDGE * EDGE; i += 32) {
        const int r = row + i / EDGE, k = term + i % EDGE;
        patch[i] = r < rows && k < K ? matrix[size_t(r) * K + k] : Element(0);
    }
    __syncwarp();
}

extern "C" __global__ void __launch_bounds__(THREADS)
    wmma_global(const Element* A, const Element* B, Element* C, int M, int N, int K) {
    __shared__ alignas(32) Element patches_a[WARPS][EDGE * EDGE], patches_b[WARPS][EDGE * EDGE];
    __shared__ alignas(32) float results[WARPS][EDGE * EDGE];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = blockIdx.y * TILE + warp / WARPS_ACROSS * EDGE, column = blockIdx.x * TILE + warp % WARPS_ACROSS * EDGE;
    if (row >= M || column >= N) return;

    const bool readable = K % ROW_ELEMENTS == 0, has_rows = row + EDGE <= M, has_columns = column + EDGE <= N;
    float sum[8] = {};
    for (int term = 0; term < K; term += EDGE) {
        const bool has_terms = readable && term + EDGE <= K;
        const bool whole_a = has_terms && has_rows, whole_b = has_terms && has_columns;
        if (!whole_a) copy_patch(patches_a[warp], A, row, M, term, K);
        if (!whole_b) copy_patch(patches_b[warp], B, column, N, term, K);
        const Operand a = load_a(whole_a ? A + size_t(row) * K + term : patches_a[warp], whole_a ? K : EDGE);
        const Operand b = load_b(whole_b ? B + size_t(column) * K + term : patches_b[warp], whole_b ? K : EDGE);
        multiply_add(sum, a, b);
    }
    store_sums(results[warp], sum);
    __syncwarp();
    for (int i = lane; i < EDGE * EDGE; i += 32) {
        const int r = row + i / EDGE, c = column + i % EDGE;
        if (r < M && c < N) C[size_t(r) * N + c] = rounded(results[warp][i]);
    }
}
