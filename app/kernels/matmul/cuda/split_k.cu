// Few results and long sums: the terms of every sum are shared out over blocks (slices of k) and, within a
// block, over its warps, so that the whole GPU works on results that would fill a handful of blocks.
//
// block:  blockIdx.x, y choose TILE x TILE results, blockIdx.z one of gridDim.z slices of k.
// warp:   takes every WARPS-th chunk of BK terms of the slice through a ring of BUFFERS copies of its own, so
//         no warp waits for another before its sums are done.
// lane:   4 x 8 results: rows lane / 4 + 8 i, columns 4 (lane % 4) + 16 q .. + 3.
// shared: ring [WARPS][BUFFERS] of a [TILE][BK + 4] (row, k) and b [BK][TILE] (k, column); at the end the
//         warps' sums [WARPS][TILE][TILE].
// scratch: a counter a tile, zero before and after a launch; from the next multiple of 256 bytes on the sums
//         [tile][slice][TILE * TILE]. The block that arrives last adds them in the order of the slices: the same
//         bits whichever it is.
constexpr int TILE = 32, BK = 8, BUFFERS = 4, WARPS = 8, THREADS = 32 * WARPS;
constexpr int ROW = BK + 4;  // floats of a row of a: eight rows meet eight different groups of four banks
constexpr int BUFFER_FLOATS = TILE * ROW + BK * TILE, ROWS = 4, QUADS = 2, COUNTER_BYTES = 256;
static_assert(THREADS * 4 == TILE * TILE, "four results a thread when the sums are added up");
static_assert(WARPS * TILE * TILE <= WARPS * BUFFERS * BUFFER_FLOATS, "the sums lie over the ring");

// Copies 4 FLOATS bytes behind the back of the registers; `inside` is the number of bytes that exist, the rest
// reads as zero.
template <int FLOATS>
__device__ __forceinline__ void copy_async(float* to, const float* from, int inside) {
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (FLOATS == 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(inside));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(from), "r"(inside));
}

__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
__device__ __forceinline__ void wait_for_oldest_copies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(BUFFERS - 1) : "memory");
}
__device__ __forceinline__ void wait_for_all_copies() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }

// One matrix piece of PIECE_ROWS x PIECE_COLUMNS at (row, column) of a matrix of rows x columns.
template <int FLOATS, int PIECE_ROWS, int PIECE_COLUMNS, int PITCH>
__device__ __forceinline__ void copy_piece(float* to, const float* matrix, int row, int column, int rows,
                                           int columns) {
    constexpr int PER_ROW = PIECE_COLUMNS / FLOATS;
#pragma unroll 4
    for (int i = threadIdx.x % 32; i < PIECE_ROWS * PER_ROW; i += 32) {
        const int r = i / PER_ROW, c = i % PER_ROW * FLOATS;
        const bool exists = row + r < rows && column + c < columns;
        const float* from = exists ? matrix + size_t(row + r) * columns + column + c : matrix;
        copy_async<FLOATS>(to + r * PITCH + c, from, exists ? 4 * FLOATS : 0);
    }
}

__device__ __forceinline__ void multiply_chunk(const float* a, const float* b, float4 (&sum)[ROWS][QUADS]) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int k4 = 0; k4 < BK; k4 += 4) {
        float left[ROWS][4];
#pragma unroll
        for (int i = 0; i < ROWS; ++i)
            *reinterpret_cast<float4*>(left[i]) =
                *reinterpret_cast<const float4*>(a + (lane / 4 + 8 * i) * ROW + k4);
#pragma unroll
        for (int k = 0; k < 4; ++k)
#pragma unroll
            for (int q = 0; q < QUADS; ++q) {
                const float4 right = *reinterpret_cast<const float4*>(b + (k4 + k) * TILE + 4 * (lane % 4) + 16 * q);
#pragma unroll
                for (int i = 0; i < ROWS; ++i) {
                    sum[i][q].x += left[i][k] * right.x;
                    sum[i][q].y += left[i][k] * right.y;
                    sum[i][q].z += left[i][k] * right.z;
                    sum[i][q].w += left[i][k] * right.w;
                }
            }
    }
}

// The warp's share of the slice: chunks first, first + WARPS, ... below `end`.
template <int FLOATS>
__device__ __forceinline__ void multiply_slice(float* ring, const float* A, const float* B, int M, int N, int K,
                                               int first, int end, float4 (&sum)[ROWS][QUADS]) {
    auto fetch = [&](int chunk, int buffer) {
        if (chunk < end) {
            float* a = ring + buffer * BUFFER_FLOATS;
            copy_piece<FLOATS, TILE, BK, ROW>(a, A, blockIdx.y * TILE, chunk * BK, M, K);
            copy_piece<FLOATS, BK, TILE, TILE>(a + TILE * ROW, B, chunk * BK, blockIdx.x * TILE, K, N);
        }
        commit_copies();  // an empty group too, so that the oldest group is always this iteration's
    };
    for (int buffer = 0; buffer < BUFFERS; ++buffer) fetch(first + buffer * WARPS, buffer);
    int buffer = 0;
    for (int chunk = first; chunk < end; chunk += WARPS) {
        wait_for_oldest_copies();
        __syncwarp();
        const float* a = ring + buffer * BUFFER_FLOATS;
        multiply_chunk(a, a + TILE * ROW, sum);
        __syncwarp();
        fetch(chunk + BUFFERS * WARPS, buffer);
        buffer = buffer + 1 == BUFFERS ? 0 : buffer + 1;
    }
    wait_for_all_copies();
}

__device__ __forceinline__ float4 plus(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// The warps' sums added in order; this thread's four: row threadIdx.x / 8, columns 4 (threadIdx.x % 8) .. + 3.
__device__ __forceinline__ float4 sum_of_block(float* sums, const float4 (&sum)[ROWS][QUADS]) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
#pragma unroll
        for (int q = 0; q < QUADS; ++q)
            *reinterpret_cast<float4*>(sums + (warp * TILE + lane / 4 + 8 * i) * TILE + 4 * (lane % 4) + 16 * q) =
                sum[i][q];
    __syncthreads();
    float4 total = reinterpret_cast<const float4*>(sums)[threadIdx.x];
    for (int w = 1; w < WARPS; ++w) total = plus(total, reinterpret_cast<const float4*>(sums)[w * THREADS + threadIdx.x]);
    return total;
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

__device__ __forceinline__ void store(float* C, int M, int N, float4 four) {
    const int row = blockIdx.y * TILE + threadIdx.x / 8, column = blockIdx.x * TILE + threadIdx.x % 8 * 4;
    if (row >= M) return;
    const float values[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (column + i < N) C[size_t(row) * N + column + i] = values[i];
}

__device__ __forceinline__ bool is_aligned(const void* pointer) { return reinterpret_cast<size_t>(pointer) % 16 == 0; }

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    split_k(const float* A, const float* B, float* C, unsigned char* scratch, int M, int N, int K) {
    extern __shared__ __align__(16) float shared[];
    const int chunks = (K + BK - 1) / BK, per_slice = (chunks + gridDim.z - 1) / gridDim.z;
    const int begin = blockIdx.z * per_slice, end = min(chunks, begin + per_slice);
    const int warp = threadIdx.x / 32;
    float* ring = shared + warp * BUFFERS * BUFFER_FLOATS;
    float4 sum[ROWS][QUADS] = {};
    if (N % 4 == 0 && K % 4 == 0 && is_aligned(A) && is_aligned(B))
        multiply_slice<4>(ring, A, B, M, N, K, begin + warp, end, sum);
    else
        multiply_slice<1>(ring, A, B, M, N, K, begin + warp, end, sum);
    float4 total = sum_of_block(shared, sum);
    if (gridDim.z > 1) {
        const size_t tiles = size_t(gridDim.x) * gridDim.y, tile = size_t(blockIdx.y) * gridDim.x + blockIdx.x;
        const size_t counters = (4 * tiles + COUNTER_BYTES - 1) / COUNTER_BYTES * COUNTER_BYTES;
        float4* sums = reinterpret_cast<float4*>(scratch + counters) + tile * gridDim.z * THREADS + threadIdx.x;
        __stcg(sums + blockIdx.z * THREADS, total);
        if (!arrives_last(reinterpret_cast<unsigned*>(scratch) + tile)) return;
        total = __ldcg(sums);
#pragma unroll 16
        for (int slice = 1; slice < gridDim.z; ++slice) total = plus(total, __ldcg(sums + slice * THREADS));
    }
    store(C, M, N, total);
}
