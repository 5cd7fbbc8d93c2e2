// One to eight rows of A: every value of B serves so few multiply-adds that reading B is all there is to do.
// Lanes lie along a row of B; its rows are shared out over slices of k and, within a block, over groups of warps.
//
// block:  blockIdx.x chooses COLUMNS results of each row, blockIdx.y one of gridDim.y slices of k.
// group:  SIDE warps side by side read a row of B, 512 bytes in one piece, and DEPTH neighbouring rows at a time;
//         a lane holds four columns.
// shared: the groups' sums [GROUPS][rows][COLUMNS].
// scratch: a counter a block column, zero before and after a launch; from the next multiple of 256 bytes on
//         the sums [block column][slice][rows][COLUMNS]. The block that arrives last adds them in the order of
//         the slices: the same bits whichever it is.
constexpr int SIDE = 1, WARPS = 8, THREADS = 32 * WARPS, MOST_ROWS = 8, BLOCKS_PER_SM = 2, COUNTER_BYTES = 256;
constexpr int QUADS = 32 * SIDE, COLUMNS = 4 * QUADS, GROUPS = WARPS / SIDE;
static_assert(GROUPS * SIDE == WARPS, "whole groups of warps");

template <bool VECTOR>
__device__ __forceinline__ float4 load_quad(const float* row, int column, int end) {
    if (VECTOR) return column < end ? __ldg(reinterpret_cast<const float4*>(row + column)) : float4{};
    return make_float4(column < end ? row[column] : 0.0f, column + 1 < end ? row[column + 1] : 0.0f,
                       column + 2 < end ? row[column + 2] : 0.0f, column + 3 < end ? row[column + 3] : 0.0f);
}

__device__ __forceinline__ float4 multiply_add(float a, float4 b, float4 sum) {
    return make_float4(fmaf(a, b.x, sum.x), fmaf(a, b.y, sum.y), fmaf(a, b.z, sum.z), fmaf(a, b.w, sum.w));
}

__device__ __forceinline__ float4 plus(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// Rows of A beyond M repeat the last one; their sums are never stored.
template <int ROWS, int DEPTH, bool VECTOR>
__device__ __forceinline__ void multiply_slice(const float* A, const float* B, int M, int N, int K, int begin, int end,
                                               float4 (&sum)[ROWS]) {
    const int column = blockIdx.x * COLUMNS + threadIdx.x % QUADS * 4;
#pragma unroll 1
    for (int k0 = begin + threadIdx.x / QUADS * DEPTH; k0 < end; k0 += GROUPS * DEPTH) {
        float4 b[DEPTH];
#pragma unroll
        for (int d = 0; d < DEPTH; ++d)
            b[d] = k0 + d < end ? load_quad<VECTOR>(B + size_t(k0 + d) * N, column, N) : float4{};
#pragma unroll
        for (int d = 0; d < DEPTH; ++d)
#pragma unroll
            for (int row = 0; row < ROWS; ++row)
                sum[row] = multiply_add(
                    k0 + d < end ? __ldg(A + size_t(min(row, M - 1)) * K + k0 + d) : 0.0f, b[d], sum[row]);
    }
}

// Whether this block is the last of its columns; then the sums of all slices can be read.
__device__ __forceinline__ bool arrives_last(unsigned* counter) {
    __shared__ bool is_last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicAdd(counter, 1u) == gridDim.y - 1;
        if (is_last) *counter = 0;
        __threadfence();
    }
    __syncthreads();
    return is_last;
}

__device__ __forceinline__ void store(float* C, int M, int N, int quad, float4 four) {
    const int row = quad / QUADS, column = blockIdx.x * COLUMNS + quad % QUADS * 4;
    if (row >= M) return;
    const float values[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (column + i < N) C[size_t(row) * N + column + i] = values[i];
}

template <int ROWS, int DEPTH>
__device__ __forceinline__ void multiply_rows(float4* sums, const float* A, const float* B, float* C,
                                              unsigned char* scratch, int M, int N, int K, bool is_vector) {
    const int per_slice = (K + gridDim.y - 1) / gridDim.y;
    const int begin = blockIdx.y * per_slice, end = min(K, begin + per_slice);
    float4 sum[ROWS] = {};
    if (is_vector)
        multiply_slice<ROWS, DEPTH, true>(A, B, M, N, K, begin, end, sum);
    else
        multiply_slice<ROWS, DEPTH, false>(A, B, M, N, K, begin, end, sum);
    constexpr int TILE_QUADS = ROWS * QUADS;
#pragma unroll
    for (int row = 0; row < ROWS; ++row)
        sums[threadIdx.x / QUADS * TILE_QUADS + row * QUADS + threadIdx.x % QUADS] = sum[row];
    __syncthreads();
    const size_t counters = (4 * size_t(gridDim.x) + COUNTER_BYTES - 1) / COUNTER_BYTES * COUNTER_BYTES;
    float4* slices = reinterpret_cast<float4*>(scratch + counters) + size_t(blockIdx.x) * gridDim.y * TILE_QUADS;
    for (int quad = threadIdx.x; quad < TILE_QUADS; quad += THREADS) {
        float4 total = sums[quad];
#pragma unroll
        for (int group = 1; group < GROUPS; ++group) total = plus(total, sums[group * TILE_QUADS + quad]);
        if (gridDim.y == 1)
            store(C, M, N, quad, total);
        else
            __stcg(slices + blockIdx.y * TILE_QUADS + quad, total);
    }
    if (gridDim.y == 1 || !arrives_last(reinterpret_cast<unsigned*>(scratch) + blockIdx.x)) return;
    for (int quad = threadIdx.x; quad < TILE_QUADS; quad += THREADS) {
        float4 total = __ldcg(slices + quad);
#pragma unroll 8
        for (int slice = 1; slice < gridDim.y; ++slice) total = plus(total, __ldcg(slices + slice * TILE_QUADS + quad));
        store(C, M, N, quad, total);
    }
}

__device__ __forceinline__ bool is_aligned(const void* pointer) { return reinterpret_cast<size_t>(pointer) % 16 == 0; }

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    row_split(const float* A, const float* B, float* C, unsigned char* scratch, int M, int N, int K) {
    __shared__ float4 sums[GROUPS * MOST_ROWS * QUADS];
    const bool is_vector = N % 4 == 0 && is_aligned(B);
    if (M == 1)
        multiply_rows<1, 8>(sums, A, B, C, scratch, M, N, K, is_vector);
    else if (M == 2)
        multiply_rows<2, 8>(sums, A, B, C, scratch, M, N, K, is_vector);
    else if (M <= 4)
        multiply_rows<4, 4>(sums, A, B, C, scratch, M, N, K, is_vector);
    else
        multiply_rows<8, 2>(sums, A, B, C, scratch, M, N, K, is_vector);
}
