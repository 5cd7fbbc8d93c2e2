// The ring of `cp_async` without a barrier of the whole block: each tile of the ring has two barriers of its own in shared
// memory. `full` completes when every thread's copies into the tile have landed, `empty` when every warp has read it.
// A thread acquires a tile, copies and commits; a warp waits, multiplies and releases. Copies run AHEAD tiles in front
// of a ring of STAGES, so that a warp may be two tiles behind another before either has to wait.
//
// block, warp, thread, shared and edges: as in `cp_async`.
constexpr int BM = 128, BN = 128, BK = 16, STAGES = 4, AHEAD = 2;
constexpr int WM = 64, WN = 64, TM = 16, TN = 8;
constexpr int THREADS = 128, BLOCKS_PER_SM = 2, PADDING = 4;
constexpr int WARPS = THREADS / 32, LANE_ROWS = WM / TM, LANE_COLUMNS = WN / TN, WARP_COLUMNS = BN / WN;
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

// The barriers of the ring. Tile t lies in stage t mod STAGES and is the (t / STAGES)th to do so, from which the parities follow.
struct Pipeline {
    unsigned full, empty;  // shared addresses of STAGES barriers each

    __device__ static void init(unsigned barrier, int arrivals) {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
    }
    // Until the phase of this parity is over. A fresh barrier counts as past its phase of parity 1.
    __device__ static void wait_for(unsigned barrier, int parity) {
        asm volatile(
            "{\n"
            ".reg .pred done;\n"
            "again:\n"
            "mbarrier.test_wait.parity.shared.b64 done, [%0], %1;\n"
            "@!done bra again;\n"
            "}\n" ::"r"(barrier), "r"(parity) : "memory");
    }
    __device__ void acquire(int tile) const { wait_for(empty + 8 * (tile % STAGES), tile / STAGES % 2 ^ 1); }
    // Arrives when this thread's copies so far have landed.
    __device__ void commit(int tile) const {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(full + 8 * (tile % STAGES)) : "memory");
    }
    __device__ void wait(int tile) const { wait_for(full + 8 * (tile % STAGES), tile / STAGES % 2); }
    __device__ void release(int tile) const {
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared.b64 state, [%0];\n}\n" ::"r"(
                             empty + 8 * (tile % STAGES))
                         : "memory");
    }
};

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
__device__ __forceinline__ void multiply_block(Tile* tiles, const Pipeline& pipeline, const float* A, const float* B,
                                               float* C, int M, int N, int K) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp / WARP_COLUMNS * WM + 4 * (lane / LANE_COLUMNS);
    const int column = warp % WARP_COLUMNS * WN + 4 * (lane % LANE_COLUMNS);
    float sum[TM][TN] = {};

    const int count = (K + BK - 1) / BK;
    const auto fill = [&](int tile) {
        if (tile >= count) return;
        pipeline.acquire(tile);
        copy_tile<INSIDE>(tiles[tile % STAGES], A, B, M, N, K, tile * BK);
        pipeline.commit(tile);
    };
    for (int tile = 0; tile < AHEAD; ++tile) fill(tile);
    for (int tile = 0; tile < count; ++tile) {
        fill(tile + AHEAD);
        pipeline.wait(tile);
        multiply_tile(tiles[tile % STAGES], row, column, sum);
        pipeline.release(tile);
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
    pipeline(const float* A, const float* B, float* C, int M, int N, int K) {
    extern __shared__ __align__(16) char shared[];
    __shared__ alignas(8) unsigned long long full[STAGES], empty[STAGES];
    Tile* tiles = reinterpret_cast<Tile*>(shared);
    const Pipeline ring{shared_address(full), shared_address(empty)};
    if (threadIdx.x < STAGES) {
        Pipeline::init(ring.full + 8 * threadIdx.x, THREADS);
        Pipeline::init(ring.empty + 8 * threadIdx.x, WARPS);
    }
    __syncthreads();
    const bool is_inside = (blockIdx.y + 1) * BM <= M && (blockIdx.x + 1) * BN <= N && K % BK == 0;
    if (is_inside && N % 4 == 0 && is_aligned(B) && is_aligned(C))
        multiply_block<true>(tiles, ring, A, B, C, M, N, K);
    else
        multiply_block<false>(tiles, ring, A, B, C, M, N, K);
}
