// The warp tile copied by `cp.async`: from global to shared memory without passing through registers, STAGES tiles deep.
// While the block multiplies tile t, the copies of the next STAGES - 1 tiles are under way; one barrier a tile.
//
// block, warp, thread: as in `warp_tile`: 128 threads, BM x BN results, WM x WN of them a warp, TM x TN a thread.
// shared: a [STAGES][BK][BM + 4] holds A transposed (k, row): a copy cannot transpose 16 bytes, so A comes 4 bytes at a
//         time, 16 copies a thread beside 4 for B; b [STAGES][BK][BN] holds B (k, column).
// Blocks that lie inside the matrices with 16-byte aligned rows copy B 16 bytes at a time and store float4; all others
// copy and store element by element, zero beyond the edge.
constexpr int BM = 128, BN = 128, BK = 16, STAGES = 4;
constexpr int WM = 64, WN = 64, TM = 16, TN = 8;
constexpr int THREADS = 128, BLOCKS_PER_SM = 2, PADDING = 4;
constexpr int LANE_ROWS = WM / TM, LANE_COLUMNS = WN / TN, WARP_COLUMNS = BN / WN;
constexpr int COPIES_A = BM * BK / THREADS, COPIES_B = BN * BK / 4 / THREADS;

struct Tile {
    float a[BK][BM + PADDING];
    float b[BK][BN];
};

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// One float; where it does not exist, zero, and nothing is read.
__device__ __forceinline__ void copy_float(float* target, const float* source, bool exists) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared_address(target)), "l"(source),
                 "r"(exists ? 4 : 0)
                 : "memory");
}

__device__ __forceinline__ void copy_quad(float* target, const float* source) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(target)), "l"(source) : "memory");
}

__device__ __forceinline__ void close_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <int PENDING>
__device__ __forceinline__ void wait_for_all_but() {
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

// A place beyond the edge is copied from the matrix's first element, zero bytes of it.
template <bool INSIDE>
__device__ __forceinline__ void copy_tile(Tile& tile, const float* A, const float* B, int M, int N, int K, int k0) {
    const int k_a = threadIdx.x % BK;
#pragma unroll
    for (int copy = 0; copy < COPIES_A; ++copy) {
        const int r = threadIdx.x / BK + copy * (THREADS / BK), row = blockIdx.y * BM + r, k = k0 + k_a;
        const bool exists = INSIDE || (row < M && k < K);
        copy_float(&tile.a[k_a][r], exists ? A + size_t(row) * K + k : A, exists);
    }
#pragma unroll
    for (int copy = 0; copy < COPIES_B; ++copy) {
        const int index = threadIdx.x + copy * THREADS, line = index / (BN / 4), quad = 4 * (index % (BN / 4));
        const int k = k0 + line, column = blockIdx.x * BN + quad;
        const float* source = B + size_t(k) * N + column;
        if constexpr (INSIDE) {
            copy_quad(&tile.b[line][quad], source);
        } else {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const bool exists = k < K && column + i < N;
                copy_float(&tile.b[line][quad + i], exists ? source + i : B, exists);
            }
        }
    }
}

template <int COUNT, int STRIDE>
__device__ __forceinline__ void read_fragment(const float* line, float (&fragment)[COUNT]) {
#pragma unroll
    for (int quad = 0; quad < COUNT / 4; ++quad) {
        const float4 four = *reinterpret_cast<const float4*>(line + quad * STRIDE);
        fragment[4 * quad] = four.x;
        fragment[4 * quad + 1] = four.y;
        fragment[4 * quad + 2] = four.z;
        fragment[4 * quad + 3] = four.w;
    }
}

__device__ __forceinline__ void multiply_tile(const Tile& tile, int row, int column, float (&sum)[TM][TN]) {
#pragma unroll
    for (int k = 0; k < BK; ++k) {
        float a[TM], b[TN];
        read_fragment<TM, 4 * LANE_ROWS>(&tile.a[k][row], a);
        read_fragment<TN, 4 * LANE_COLUMNS>(&tile.b[k][column], b);
#pragma unroll
        for (int i = 0; i < TM; ++i)
#pragma unroll
            for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
    }
}

template <bool INSIDE>
__device__ __forceinline__ void store_quad(float* row, int column, int end, const float* four) {
    if constexpr (INSIDE) {
        *reinterpret_cast<float4*>(row + column) = make_float4(four[0], four[1], four[2], four[3]);
    } else {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (column + i < end) row[column + i] = four[i];
    }
}

template <bool INSIDE>
__device__ __forceinline__ void multiply_block(Tile* tiles, const float* A, const float* B, float* C, int M, int N,
                                               int K) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp / WARP_COLUMNS * WM + 4 * (lane / LANE_COLUMNS);
    const int column = warp % WARP_COLUMNS * WN + 4 * (lane % LANE_COLUMNS);
    float sum[TM][TN] = {};

    // A group is closed for every tile, even where none is left to copy: as many groups are pending in every step.
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        if (tile * BK < K) copy_tile<INSIDE>(tiles[tile], A, B, M, N, K, tile * BK);
        close_group();
    }
    int stage = 0;
    for (int k0 = 0; k0 < K; k0 += BK) {
        wait_for_all_but<STAGES - 2>();
        __syncthreads();
        const int ahead = k0 + (STAGES - 1) * BK;
        if (ahead < K) copy_tile<INSIDE>(tiles[(stage + STAGES - 1) % STAGES], A, B, M, N, K, ahead);
        close_group();
        multiply_tile(tiles[stage], row, column, sum);
        stage = (stage + 1) % STAGES;
    }

#pragma unroll
    for (int i = 0; i < TM; ++i) {
        const int i_row = blockIdx.y * BM + row + i % 4 + 4 * LANE_ROWS * (i / 4);
        if (!INSIDE && i_row >= M) continue;
#pragma unroll
        for (int j = 0; j < TN; j += 4)
            store_quad<INSIDE>(C + size_t(i_row) * N, blockIdx.x * BN + column + LANE_COLUMNS * j, N, &sum[i][j]);
    }
}

__device__ __forceinline__ bool is_aligned(const void* pointer) { return reinterpret_cast<size_t>(pointer) % 16 == 0; }

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    cp_async(const float* A, const float* B, float* C, int M, int N, int K) {
    extern __shared__ __align__(16) char shared[];
    Tile* tiles = reinterpret_cast<Tile*>(shared);
    const bool is_inside = (blockIdx.y + 1) * BM <= M && (blockIdx.x + 1) * BN <= N && K % BK == 0;
    if (is_inside && N % 4 == 0 && is_aligned(B) && is_aligned(C))
        multiply_block<true>(tiles, A, B, C, M, N, K);
    else
        multiply_block<false>(tiles, A, B, C, M, N, K);
}
