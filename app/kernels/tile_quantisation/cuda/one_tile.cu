// One 128 x 128 tile of C a block and one block a multiprocessor, so that blocks run in waves one can count.
// Rows beyond M are copied as zeros and multiplied like any other: a tile over the edge takes as long as a
// full one. N is a multiple of 128 and K of 16, so rows are the only edge.
//
// block:  256 threads; warp w takes 32 x 64 results, lane 8 x 8: rows lane / 8 + 4 i, columns 4 (lane % 8) + 32 q.
// shared: ring of BUFFERS tiles of a [128][16 + 4] (row, k) and b [16][128] (k, column), filled by cp.async.
constexpr int TILE = 128, BK = 16, BUFFERS = 4, THREADS = 256, ROW = BK + 4;
constexpr int BUFFER_FLOATS = TILE * ROW + BK * TILE, WARP_ROWS = 32, WARP_COLUMNS = 64, ROWS = 8, QUADS = 2;

__device__ __forceinline__ void copy_async(float* to, const float* from, bool exists) {
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(exists ? 16 : 0));
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
__device__ __forceinline__ void wait_for_oldest_copies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(BUFFERS - 2) : "memory");
}

__device__ __forceinline__ void fetch(float* buffer, const float* A, const float* B, int M, int N, int K, int k0) {
    const int row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE;
#pragma unroll
    for (int i = threadIdx.x; i < TILE * BK / 4; i += THREADS) {
        const int row = i / (BK / 4), k = i % (BK / 4) * 4;
        const bool exists = row0 + row < M;
        copy_async(buffer + row * ROW + k, exists ? A + size_t(row0 + row) * K + k0 + k : A, exists);
    }
    float* b = buffer + TILE * ROW;
#pragma unroll
    for (int i = threadIdx.x; i < TILE * BK / 4; i += THREADS) {
        const int k = i / (TILE / 4), column = i % (TILE / 4) * 4;
        copy_async(b + k * TILE + column, B + size_t(k0 + k) * N + column0 + column, true);
    }
}

__device__ __forceinline__ void multiply(const float* buffer, int row, int column, float4 (&sum)[ROWS][QUADS]) {
    const float* b = buffer + TILE * ROW;
#pragma unroll
    for (int k4 = 0; k4 < BK; k4 += 4) {
        float left[ROWS][4];
#pragma unroll
        for (int i = 0; i < ROWS; ++i)
            *reinterpret_cast<float4*>(left[i]) = *reinterpret_cast<const float4*>(buffer + (row + 4 * i) * ROW + k4);
#pragma unroll
        for (int k = 0; k < 4; ++k)
#pragma unroll
            for (int q = 0; q < QUADS; ++q) {
                const float4 right = *reinterpret_cast<const float4*>(b + (k4 + k) * TILE + column + 32 * q);
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

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    one_tile(const float* A, const float* B, float* C, int M, int N, int K) {
    extern __shared__ __align__(16) float shared[];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp / 2 * WARP_ROWS + lane / 8, column = warp % 2 * WARP_COLUMNS + lane % 8 * 4;
    float4 sum[ROWS][QUADS] = {};
    for (int tile = 0; tile < BUFFERS - 1; ++tile) {
        if (tile * BK < K) fetch(shared + tile * BUFFER_FLOATS, A, B, M, N, K, tile * BK);
        commit_copies();
    }
    for (int tile = 0; tile * BK < K; ++tile) {
        wait_for_oldest_copies();
        // Also says that every thread is done with the buffer that is filled next.
        __syncthreads();
        const int ahead = tile + BUFFERS - 1;
        if (ahead * BK < K) fetch(shared + ahead % BUFFERS * BUFFER_FLOATS, A, B, M, N, K, ahead * BK);
        commit_copies();
        multiply(shared + tile % BUFFERS * BUFFER_FLOATS, row, column, sum);
    }
#pragma unroll
    for (int i = 0; i < ROWS; ++i) {
        const int r = blockIdx.y * TILE + row + 4 * i;
        if (r >= M) continue;
#pragma unroll
        for (int q = 0; q < QUADS; ++q)
            *reinterpret_cast<float4*>(C + size_t(r) * N + blockIdx.x * TILE + column + 32 * q) = sum[i][q];
    }
}
