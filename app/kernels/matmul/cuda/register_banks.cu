// The rung `hopper` with a register for each sum that it never leaves, and the order of multiply-adds that the text has.
// Of its three operands a multiply-add reads those anew that its predecessor did not share; each of the two register banks
// (even and odd numbers) gives one a cycle, and a short queue evens out two or three cycles, not eight. Along a row of C
// a[i] is shared, and b[j] and c[i][j] alternate between the banks. Down a column b[j] is shared, and a[i] and c[i][j]
// each stay in a bank: measured, 0.80 of cuBLAS instead of 1.03. The compiler prefers columns where the b of the next k
// come late, and between two k moves half of the sums to other registers. Hence `hold`: a path that is never taken, on
// which sums and the next b come from memory as quads. Where two paths meet, both must have left a value in the same
// register, so nothing moves, and what is loaded has arrived. A turn of the loop is such a place anyway.
//
// shared: a [STAGES][256 rows][32 k], each row of 128 bytes swizzled by the copy engine: 16-byte piece p of row r
//         lies at p ^ (r mod 8); b [STAGES][32 k][128 columns]; 8 pairs of results a thread on their way out.
// warp:   64 x 64 results, lanes 8 x 4. thread: rows 8 i + lane_row (8), columns 4 (lane_column + 4 q) + {0..3} (16).
// A is read four k at a time along its own rows, so nothing is transposed; N and K are multiples of 4.
constexpr int BM = 256, BN = 128, BK = 32, STAGES = 4;
constexpr int WARPS = 8, WARP_ROWS = 64, WARP_COLUMNS = 64, LANE_COLUMNS = 4, LANE_ROWS = 8;
constexpr int TM = 8, TN = 16, QUADS = TN / 4;
constexpr int MATH_THREADS = 32 * WARPS, THREADS = MATH_THREADS + 128;
constexpr int TILE_A_BYTES = 4 * BM * BK, TILE_B_BYTES = 4 * BK * BN, STAGE_BYTES = TILE_A_BYTES + TILE_B_BYTES;
constexpr int PAIR_BYTES = 8 * MATH_THREADS;  // one pair of results of every thread
constexpr int ALIGNMENT = 1024;                // of a swizzled tile
constexpr int GROUP = 8;                       // rows of tiles that a run of blocks walks together, for the L2 cache

struct alignas(128) TensorMap {
    unsigned long long words[16];
};

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void barrier_init(unsigned barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void barrier_arrive(unsigned barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

__device__ __forceinline__ void barrier_expect(unsigned barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

// Until the phase of this parity is over. A fresh barrier counts as past its phase of parity 1.
__device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "again:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@done bra.uni passed;\n"
        "bra.uni again;\n"
        "passed:\n"
        "}\n" ::"r"(barrier), "r"(parity) : "memory");
}

// The box of `map` whose first element is (row, column), to shared memory; elements outside the tensor are zero.
__device__ __forceinline__ void copy_box(unsigned target, const TensorMap& map, int row, int column, unsigned barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
            target),
        "l"(&map), "r"(column), "r"(row), "r"(barrier) : "memory");
}

// Four floats at a shared address and a distance known to the compiler, which may not move the load behind what follows.
template <int DISTANCE>
__device__ __forceinline__ void read_quad(unsigned address, float* four) {
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4 + %5];"
                 : "=f"(four[0]), "=f"(four[1]), "=f"(four[2]), "=f"(four[3]) : "r"(address), "n"(DISTANCE));
}

struct Ring {
    unsigned tiles, full, empty;  // shared addresses
    __device__ unsigned a(int stage) const { return tiles + stage * STAGE_BYTES; }
    __device__ unsigned b(int stage) const { return a(stage) + TILE_A_BYTES; }
};

__device__ __forceinline__ void fill_ring(const Ring& ring, const TensorMap& map_a, const TensorMap& map_b, int row0,
                                          int column0, int tiles) {
    for (int tile = 0; tile < tiles; ++tile) {
        const int stage = tile % STAGES;
        const unsigned full = ring.full + 8 * stage;
        barrier_wait(ring.empty + 8 * stage, tile / STAGES % 2 ^ 1);
        barrier_expect(full, STAGE_BYTES);
        copy_box(ring.a(stage), map_a, row0, tile * BK, full);
        copy_box(ring.b(stage), map_b, tile * BK, column0, full);
    }
}

__device__ __forceinline__ void read_a(unsigned a, float (&fragment)[TM][4]) {
    constexpr int ROWS = 4 * LANE_ROWS * BK;
    read_quad<0 * ROWS>(a, fragment[0]), read_quad<1 * ROWS>(a, fragment[1]);
    read_quad<2 * ROWS>(a, fragment[2]), read_quad<3 * ROWS>(a, fragment[3]);
    read_quad<4 * ROWS>(a, fragment[4]), read_quad<5 * ROWS>(a, fragment[5]);
    read_quad<6 * ROWS>(a, fragment[6]), read_quad<7 * ROWS>(a, fragment[7]);
}

template <int K>
__device__ __forceinline__ void read_b(unsigned b, float (&fragment)[TN]) {
    constexpr int LINE = 4 * BN * K, COLUMNS = 4 * 4 * LANE_COLUMNS;
    read_quad<LINE + 0 * COLUMNS>(b, fragment), read_quad<LINE + 1 * COLUMNS>(b, fragment + 4);
    read_quad<LINE + 2 * COLUMNS>(b, fragment + 8), read_quad<LINE + 3 * COLUMNS>(b, fragment + 12);
}

// Along a row of C and back along the next: a[i] is shared by 16 multiply-adds, b[j] by the two at a turn.
template <int K>
__device__ __forceinline__ void multiply(const float (&a)[TM][4], const float (&b)[TN], float (&sum)[TM][TN]) {
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int step = 0; step < TN; ++step) {
            const int j = i % 2 ? TN - 1 - step : step;
            sum[i][j] += a[i][K] * b[j];
        }
}

__device__ __forceinline__ void read_held(unsigned address, float* four, int swapped) {
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(four[0 ^ swapped]), "=f"(four[1 ^ swapped]), "=f"(four[2 ^ swapped]), "=f"(four[3 ^ swapped])
                 : "r"(address) : "memory");
}

// Holds every sum and the next b in place (see above). A quad of sums in swapped pairs; no address twice, or the compiler
// would load once and copy.
__device__ __forceinline__ void hold(bool never, unsigned shared, float (&sum)[TM][TN], float (&b)[TN]) {
    if (!never) return;
#pragma unroll
    for (int quad = 0; quad < QUADS; ++quad) read_held(shared + 16 * (TM * QUADS + quad), b + 4 * quad, 0);
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int quad = 0; quad < QUADS; ++quad) read_held(shared + 16 * (i * QUADS + quad), &sum[i][4 * quad], 1);
}

// One tile of A and B. b is read a step ahead of its use, at the end of a tile from beyond it, which nobody uses.
__device__ __forceinline__ void multiply_stage(unsigned a, unsigned b, bool never, unsigned shared,
                                               float (&sum)[TM][TN]) {
    float fragment_a[TM][4], even_b[TN], odd_b[TN];
    read_b<0>(b, even_b);
#pragma unroll 1
    for (int piece = 0; piece < BK / 4; ++piece, b += 4 * BN * 4) {
        read_a(a ^ piece << 4, fragment_a);
        read_b<1>(b, odd_b), multiply<0>(fragment_a, even_b, sum), hold(never, shared, sum, odd_b);
        read_b<2>(b, even_b), multiply<1>(fragment_a, odd_b, sum), hold(never, shared, sum, even_b);
        read_b<3>(b, odd_b), multiply<2>(fragment_a, even_b, sum), hold(never, shared, sum, odd_b);
        read_b<4>(b, even_b), multiply<3>(fragment_a, odd_b, sum);
    }
}

// Results leave in swapped pairs through shared memory. That detour is for the main loop: a pair stored together sits in
// neighbouring registers, so an even column of C is kept in an odd register, and the even column of B that it is
// multiplied with, loaded as float4, in an even one: the two are never read from one bank.
__device__ __forceinline__ void store_swapped(unsigned slot, const float* pair) {
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(slot), "f"(pair[1]), "f"(pair[0]) : "memory");
}

__device__ __forceinline__ float2 load_swapped(unsigned slot) {
    float2 pair;
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(pair.y), "=f"(pair.x) : "r"(slot) : "memory");
    return pair;
}

// `slots`: this thread's 8 bytes of the first pair; the next pair lies PAIR_BYTES on, so that no two become one store.
__device__ __forceinline__ void store_results(float* C, int M, int N, int row, int column, unsigned slots,
                                              const float (&sum)[TM][TN]) {
#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int pair = 0; pair < TN / 2; ++pair) store_swapped(slots + pair * PAIR_BYTES, &sum[i][2 * pair]);
        const int c_row = row + LANE_ROWS * i;
#pragma unroll
        for (int quad = 0; quad < QUADS; ++quad) {
            const float2 low = load_swapped(slots + 2 * quad * PAIR_BYTES);
            const float2 high = load_swapped(slots + (2 * quad + 1) * PAIR_BYTES);
            const int c_column = column + 4 * LANE_COLUMNS * quad;
            if (c_row < M && c_column < N)
                *reinterpret_cast<float4*>(C + size_t(c_row) * N + c_column) = make_float4(low.x, low.y, high.x, high.y);
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    register_banks(const float*, const float*, float* C, int M, int N, int K, const __grid_constant__ TensorMap map_a,
           const __grid_constant__ TensorMap map_b) {
    extern __shared__ char shared[];
    __shared__ alignas(8) unsigned long long full[STAGES], empty[STAGES];
    const unsigned base = (shared_address(shared) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const Ring ring{base, shared_address(full), shared_address(empty)};
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            barrier_init(ring.full + 8 * stage, 1);
            barrier_init(ring.empty + 8 * stage, WARPS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();

    const int tiles_m = (M + BM - 1) / BM, tiles_n = (N + BN - 1) / BN, tiles_k = (K + BK - 1) / BK;
    const int group = blockIdx.x / (GROUP * tiles_n), within = blockIdx.x % (GROUP * tiles_n);
    const int group_rows = min(GROUP, tiles_m - group * GROUP);
    const int row0 = (group * GROUP + within % group_rows) * BM, column0 = within / group_rows * BN;

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp >= WARPS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x == MATH_THREADS) fill_ring(ring, map_a, map_b, row0, column0, tiles_k);
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    const int lane_row = lane / LANE_COLUMNS, lane_column = lane % LANE_COLUMNS;
    const int row = warp / (BN / WARP_COLUMNS) * WARP_ROWS + lane_row;
    const int column = warp % (BN / WARP_COLUMNS) * WARP_COLUMNS + 4 * lane_column;
    const bool never = M < 0;
    float sum[TM][TN] = {};
    for (int tile = 0; tile < tiles_k; ++tile) {
        const int stage = tile % STAGES;
        barrier_wait(ring.full + 8 * stage, tile / STAGES % 2);
        multiply_stage(ring.a(stage) + (row * (4 * BK) | lane_row << 4), ring.b(stage) + column * 4, never, base, sum);
        __syncwarp();
        if (lane == 0) barrier_arrive(ring.empty + 8 * stage);
    }
    store_results(C, M, N, row0 + row, column0 + column, base + STAGES * STAGE_BYTES + 8 * threadIdx.x, sum);
}
