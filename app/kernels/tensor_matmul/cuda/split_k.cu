// Few results and long sums: slices of k over blocks, and within a block over its warps. Values go from global
// memory straight into the fragments of mma.sync.m16n8k16, because a tile this small uses each of them once.
//
// The "left" matrix gives the 16 rows of an mma, the "right" one its 8 columns: A and B, or, where A has at most
// eight rows (ROW_SPLIT), B and A, so that no row of an mma is idle.
//
// block:  blockIdx.x, y choose a tile of C's columns and rows, blockIdx.z one of gridDim.z slices of k.
// warp:   VECTOR_DEPTH neighbouring steps of 32 terms at a time, every WARPS-th group of them; one step where
//         rows are not multiples of 16 bytes.
// lane:   g = lane / 4 chooses the row, t = lane % 4 eight terms in one 16-byte load. An mma wants terms
//         2t, 2t+1, 2t+8, 2t+9; it is given two words of the eight. Both matrices are permuted alike, and a sum
//         does not ask for the order of its terms.
// shared: the warps' sums [WARPS][rows of C][columns of C].
// scratch: a counter a tile, zero before and after a launch; from the next multiple of 256 bytes on the sums
//         [tile][slice][rows of C][columns of C]. The block that arrives last adds them in the order of the
//         slices: the same bits whichever it is.
// options: -DROW_SPLIT=1, -DBFLOAT16=1.
#ifndef ROW_SPLIT
#define ROW_SPLIT 0
#endif
#ifndef BFLOAT16
#define BFLOAT16 0
#endif
constexpr int LEFT_TILES = 1, RIGHT_TILES = ROW_SPLIT ? 1 : 2;  // of 16 and of 8 rows
constexpr int WARPS = ROW_SPLIT ? 4 : 8, VECTOR_DEPTH = ROW_SPLIT ? 4 : 8, BLOCKS_PER_SM = ROW_SPLIT ? 6 : 1;
constexpr int STEP = 32, OCTET = 8, COUNTER_BYTES = 256, THREADS = 32 * WARPS;
constexpr int LEFT = 16 * LEFT_TILES, RIGHT = 8 * RIGHT_TILES, RESULTS = LEFT * RIGHT;
constexpr int TILE_ROWS = ROW_SPLIT ? RIGHT : LEFT, TILE_COLUMNS = ROW_SPLIT ? LEFT : RIGHT;
constexpr int PER_THREAD = (RESULTS + THREADS - 1) / THREADS;

using Element = unsigned short;  // the bits of an fp16 or bf16 value

struct Matrix {
    const Element* values;
    int first_row, rows;
};

// Eight terms of a row from k on; zero beyond `end` and where the row does not exist.
template <bool VECTOR>
__device__ __forceinline__ uint4 load_octet(const Matrix& matrix, int row, int k, int K, int end) {
    const bool exists = matrix.first_row + row < matrix.rows;
    const Element* from = matrix.values + size_t(matrix.first_row + row) * K + k;
    if constexpr (VECTOR) {
        return exists && k < end ? __ldg(reinterpret_cast<const uint4*>(from)) : uint4{0u, 0u, 0u, 0u};
    } else {
        unsigned words[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const unsigned low = exists && k + 2 * i < end ? from[2 * i] : 0u;
            const unsigned high = exists && k + 2 * i + 1 < end ? from[2 * i + 1] : 0u;
            words[i] = low | high << 16;
        }
        return uint4{words[0], words[1], words[2], words[3]};
    }
}

__device__ __forceinline__ void multiply_add(float (&sum)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3,
                                             unsigned b0, unsigned b1) {
#if BFLOAT16
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
#else
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
#endif
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
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

template <bool VECTOR, int DEPTH>
__device__ __forceinline__ void multiply_slice(const Matrix& left, const Matrix& right, int K, int begin, int end,
                                               float (&sum)[LEFT_TILES][RIGHT_TILES][4]) {
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const int last = min(K, end * STEP);
#pragma unroll 1
    for (int step = begin + warp * DEPTH; step < end; step += WARPS * DEPTH) {
        uint4 top[DEPTH][LEFT_TILES], bottom[DEPTH][LEFT_TILES], columns[DEPTH][RIGHT_TILES];
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) {
            const int k = (step + d) * STEP + OCTET * t;
#pragma unroll
            for (int i = 0; i < LEFT_TILES; ++i) {
                top[d][i] = load_octet<VECTOR>(left, 16 * i + g, k, K, last);
                bottom[d][i] = load_octet<VECTOR>(left, 16 * i + g + 8, k, K, last);
            }
#pragma unroll
            for (int j = 0; j < RIGHT_TILES; ++j) columns[d][j] = load_octet<VECTOR>(right, 8 * j + g, k, K, last);
        }
#pragma unroll
        for (int d = 0; d < DEPTH; ++d)
#pragma unroll
            for (int i = 0; i < LEFT_TILES; ++i)
#pragma unroll
                for (int j = 0; j < RIGHT_TILES; ++j) {
                    const uint4 a = top[d][i], b = bottom[d][i], c = columns[d][j];
                    multiply_add(sum[i][j], a.x, b.x, a.y, b.y, c.x, c.y);
                    multiply_add(sum[i][j], a.z, b.z, a.w, b.w, c.z, c.w);
                }
    }
}

// Where the result of a row of the left and a row of the right matrix lies in a tile of C.
__device__ __forceinline__ int place(int left, int right) {
    return ROW_SPLIT ? right * TILE_COLUMNS + left : left * TILE_COLUMNS + right;
}

// The warps' sums added in order; this thread's results are threadIdx.x + THREADS * i of the tile.
__device__ __forceinline__ void sum_of_block(float (*sums)[RESULTS], const float (&sum)[LEFT_TILES][RIGHT_TILES][4],
                                             float (&total)[PER_THREAD]) {
    const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
    for (int i = 0; i < LEFT_TILES; ++i)
#pragma unroll
        for (int j = 0; j < RIGHT_TILES; ++j)
#pragma unroll
            for (int c = 0; c < 4; ++c) sums[warp][place(16 * i + g + 8 * (c / 2), 8 * j + 2 * t + c % 2)] = sum[i][j][c];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < PER_THREAD; ++i) {
        const int result = threadIdx.x + THREADS * i;
        total[i] = 0.0f;
        for (int w = 0; w < WARPS && result < RESULTS; ++w) total[i] += sums[w][result];
    }
}

// Whether this block is the last of its tile; then the sums of all slices can be read.
__device__ __forceinline__ bool arrives_last(unsigned* counter) {
    __shared__ bool is_last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicAdd(counter, 1u) == gridDim.z - 1;
        if (is_last) *counter = 0;
        __threadfence();
    }
    __syncthreads();
    return is_last;
}

__device__ __forceinline__ float sum_of_slices(const float* sums) {
    float total = 0.0f;
#pragma unroll 8
    for (int slice = 0; slice < gridDim.z; ++slice) total += __ldcg(sums + slice * RESULTS);
    return total;
}

__device__ __forceinline__ bool is_aligned(const void* pointer) { return reinterpret_cast<size_t>(pointer) % 16 == 0; }

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    split_k(const Element* A, const Element* B, Element* C, unsigned char* scratch, int M, int N, int K) {
    __shared__ float sums[WARPS][RESULTS];
    const int row = blockIdx.y * TILE_ROWS, column = blockIdx.x * TILE_COLUMNS;
    const Matrix a{A, row, M}, b{B, column, N};
    const int steps = (K + STEP - 1) / STEP, per_slice = (steps + gridDim.z - 1) / gridDim.z;
    const int begin = blockIdx.z * per_slice, end = min(steps, begin + per_slice);
    float sum[LEFT_TILES][RIGHT_TILES][4] = {}, total[PER_THREAD];
    if (K % OCTET == 0 && is_aligned(A) && is_aligned(B))
        multiply_slice<true, VECTOR_DEPTH>(ROW_SPLIT ? b : a, ROW_SPLIT ? a : b, K, begin, end, sum);
    else
        multiply_slice<false, 1>(ROW_SPLIT ? b : a, ROW_SPLIT ? a : b, K, begin, end, sum);
    sum_of_block(sums, sum, total);
    const size_t tiles = size_t(gridDim.x) * gridDim.y, tile = size_t(blockIdx.y) * gridDim.x + blockIdx.x;
    const size_t counters = (4 * tiles + COUNTER_BYTES - 1) / COUNTER_BYTES * COUNTER_BYTES;
    float* slices = reinterpret_cast<float*>(scratch + counters) + tile * gridDim.z * RESULTS;
    if (gridDim.z > 1) {
#pragma unroll
        for (int i = 0; i < PER_THREAD; ++i) {
            const int result = threadIdx.x + THREADS * i;
            if (result < RESULTS) __stcg(slices + blockIdx.z * RESULTS + result, total[i]);
        }
        if (!arrives_last(reinterpret_cast<unsigned*>(scratch) + tile)) return;
    }
#pragma unroll
    for (int i = 0; i < PER_THREAD; ++i) {
        const int result = threadIdx.x + THREADS * i;
        const int r = row + result / TILE_COLUMNS, c = column + result % TILE_COLUMNS;
        if (result < RESULTS && r < M && c < N)
            C[size_t(r) * N + c] = rounded(gridDim.z > 1 ? sum_of_slices(slices + result) : total[i]);
    }
}
