// Tiles of 128 x 256 results, 64 terms of the sum at a time. A producer warp group gives its registers away and one of
// its threads has the copy engine (TMA) fill a ring of SLOTS pairs of tiles; two consumer warp groups multiply
// 64 x 256 results each with WGMMA, whose operands come from shared memory. Barriers a slot: `full` (the bytes have
// landed) and `empty` (every consumer warp has read them). K-blocks beyond the matrices are zeros and change nothing.
//
// shared: slots [SLOTS] of A [128 rows][64 k] and B [256 rows][64 k], rows of 128 bytes in the 128-byte swizzle: 16-byte
//         piece p of row r lies at p ^ (r mod 8). With TMA_STORE also results [8 warps][PIECES][16 rows][64 columns],
//         swizzled alike. All start at multiples of 1024 bytes.
// warp:   16 rows of results. thread: of columns 8 j and the seven after, 2 (lane mod 4) and the next one, in row
//         lane / 4 and in the row 8 below.
// options, the rungs of the ladder:
//   SLOTS=n       buffers in the ring; one means that nothing overlaps.
//   PERSISTENT=1  a block takes every gridDim.x-th tile; results leave while the next tile is being multiplied.
//   DEPTH=n       rows of tiles that are walked together, so that tiles worked on at a time form a square.
//   CLUSTER=2     two blocks below each other load half of their common tile of B each, for both (multicast).
//   TMA_STORE=1   results pass through shared memory (stmatrix) and leave by the copy engine, BATCH pieces at a time.
//   SERPENTINE=1  every other tile runs through the sum backwards, every other band of tiles through the columns.
//   BFLOAT16=1    bf16 instead of fp16.
#ifndef SLOTS
#define SLOTS 3
#endif
#ifndef PERSISTENT
#define PERSISTENT 1
#endif
#ifndef DEPTH
#define DEPTH 16
#endif
#ifndef CLUSTER
#define CLUSTER 1
#endif
#ifndef TMA_STORE
#define TMA_STORE 1
#endif
#ifndef PIECES
#define PIECES 4
#endif
#ifndef BATCH
#define BATCH 1
#endif
#ifndef SERPENTINE
#define SERPENTINE 0
#endif
#ifndef STREAM_RESULTS
#define STREAM_RESULTS 0
#endif
#ifndef KEEP_OPERANDS
#define KEEP_OPERANDS 0
#endif
#ifndef PREFETCH
#define PREFETCH 0
#endif
#ifndef BFLOAT16
#define BFLOAT16 0
#endif
constexpr int BM = 128, BN = 256, BK = 64, ITEM_BYTES = 2, ROW_BYTES = BK * ITEM_BYTES;
constexpr int CONSUMER_GROUPS = 2, GROUP_THREADS = 128, GROUP_ROWS = 64;
constexpr int CONSUMERS = CONSUMER_GROUPS * GROUP_THREADS, THREADS = CONSUMERS + GROUP_THREADS, WARPS = CONSUMERS / 32;
constexpr int TILE_A_BYTES = BM * ROW_BYTES, TILE_B_BYTES = BN * ROW_BYTES, SLOT_BYTES = TILE_A_BYTES + TILE_B_BYTES;
constexpr int WARP_ROWS = 16, PIECE_COLUMNS = 64, PIECE_BYTES = WARP_ROWS * PIECE_COLUMNS * ITEM_BYTES;
constexpr int RESULTS = BN / 2;  // a thread's
constexpr int ALIGNMENT = 1024, PERSISTENT_BLOCKS = 128;

using Element = unsigned short;  // the bits of an fp16 or bf16 value

struct alignas(128) TensorMap {
    unsigned long long words[16];
};

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void barrier_init(unsigned barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void barrier_expect(unsigned barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

// At the same barrier of the block of that rank in this cluster.
__device__ __forceinline__ void barrier_arrive(unsigned barrier, int rank) {
#if CLUSTER > 1
    asm volatile(
        "{\n.reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [remote];\n}" ::"r"(barrier),
        "r"(rank) : "memory");
#else
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
#endif
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

__device__ __forceinline__ void wait_for_all_blocks() {
#if CLUSTER > 1
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
#else
    __syncthreads();
#endif
}

// The box of `map` whose first element is (row, column), to shared memory; elements outside the tensor are zero.
__device__ __forceinline__ void load_box(unsigned target, const TensorMap& map, int row, int column, unsigned barrier) {
#if KEEP_OPERANDS
    unsigned long long policy;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(target),
        "l"(&map), "r"(column), "r"(row), "r"(barrier), "l"(policy) : "memory");
    return;
#endif
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
            target),
        "l"(&map), "r"(column), "r"(row), "r"(barrier) : "memory");
}

// The box on its way to the L2 cache.
__device__ __forceinline__ void prefetch_box(const TensorMap& map, int row, int column) {
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1, %2}];" ::"l"(&map), "r"(column), "r"(row) : "memory");
}

__device__ __forceinline__ void prefetch_map(const TensorMap& map) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

// The same, to that address in every block of the cluster; each block's own barrier counts the bytes.
__device__ __forceinline__ void load_box_for_all(unsigned target, const TensorMap& map, int row, int column,
                                                 unsigned barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(target),
        "l"(&map), "r"(column), "r"(row), "r"(barrier), "h"(static_cast<unsigned short>((1 << CLUSTER) - 1)) : "memory");
}

// From shared memory to the tensor; elements outside it are not written.
__device__ __forceinline__ void store_box(const TensorMap& map, int row, int column, unsigned source) {
#if STREAM_RESULTS
    unsigned long long policy;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group.L2::cache_hint [%0, {%1, %2}], [%3], %4;" ::"l"(
                     &map),
                 "r"(column), "r"(row), "r"(source), "l"(policy) : "memory");
#else
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(column),
                 "r"(row), "r"(source) : "memory");
#endif
}

#define REGISTERS8(i)                                                                                        \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]),              \
        "+f"(d[i + 6]), "+f"(d[i + 7])
#define REGISTERS32(i) REGISTERS8(i), REGISTERS8(i + 8), REGISTERS8(i + 16), REGISTERS8(i + 24)
#if BFLOAT16
#define SHAPE "m64n256k16.f32.bf16.bf16"
#define ROUND_PAIR "cvt.rn.bf16x2.f32"
#else
#define SHAPE "m64n256k16.f32.f16.f16"
#define ROUND_PAIR "cvt.rn.f16x2.f32"
#endif

// d (+)= a b, asynchronously; a and b are matrix descriptors.
__device__ __forceinline__ void multiply_add(float (&d)[RESULTS], unsigned long long a, unsigned long long b, int add) {
    asm volatile(
        "{\n.reg .pred accumulate;\nsetp.ne.b32 accumulate, %130, 0;\n"
        "wgmma.mma_async.sync.aligned." SHAPE " {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
        "}, %128, %129, accumulate, 1, 1, 0, 0;\n}"
        : REGISTERS32(0), REGISTERS32(32), REGISTERS32(64), REGISTERS32(96)
        : "l"(a), "l"(b), "r"(add));
}

// Rows of 128 bytes in the 128-byte swizzle, 1024 bytes from one group of 8 rows to the next. 16 terms further adds 2.
__device__ __forceinline__ unsigned long long descriptor(unsigned address) {
    return (address & 0x3FFFF) >> 4 | 1ull << 16 | (1024ull >> 4) << 32 | 1ull << 62;
}

// One slot's share of the sums. It is waited for at once: the slot is free sooner, and the other consumer keeps the
// pipe busy.
__device__ __forceinline__ void multiply_slot(float (&sum)[RESULTS], unsigned a, unsigned b, bool is_first) {
    const unsigned long long at_a = descriptor(a), at_b = descriptor(b);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int step = 0; step < BK / 16; ++step) multiply_add(sum, at_a + 2 * step, at_b + 2 * step, step > 0 || !is_first);
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}

struct Ring {
    unsigned slots, full, empty;  // shared addresses
    int slot = 0;
    unsigned parity = 0;

    __device__ unsigned a() const { return slots + slot * SLOT_BYTES; }
    __device__ unsigned b() const { return a() + TILE_A_BYTES; }
    __device__ unsigned full_barrier() const { return full + 8 * slot; }
    __device__ unsigned empty_barrier() const { return empty + 8 * slot; }
    __device__ void advance() {
        if (++slot == SLOTS) slot = 0, parity ^= 1;
    }
};

// Tiles in the order in which they are walked; a "tile" is that of a whole cluster, its blocks below each other.
struct Walk {
    int tiles_n, tiles_m, blocks_k, rank;

    __device__ Walk(int M, int N, int K) {
        tiles_n = (N + BN - 1) / BN, tiles_m = (M + CLUSTER * BM - 1) / (CLUSTER * BM);
        blocks_k = (K + BK - 1) / BK, rank = blockIdx.x % CLUSTER;
    }
    __device__ int first() const { return blockIdx.x / CLUSTER; }
    __device__ int step() const { return PERSISTENT ? gridDim.x / CLUSTER : tiles_m * tiles_n; }
    __device__ int end() const { return tiles_m * tiles_n; }
    __device__ int2 corner(int tile) const {  // row and column of this block's first result
        constexpr int ROWS = DEPTH / CLUSTER;
        const int band = tile / (ROWS * tiles_n), within = tile % (ROWS * tiles_n);
        const int rows = min(ROWS, tiles_m - band * ROWS);
        const int tile_row = band * ROWS + within % rows, along = within / rows;
        const int tile_column = SERPENTINE && band % 2 ? tiles_n - 1 - along : along;
        return make_int2((tile_row * CLUSTER + rank) * BM, tile_column * BN);
    }
    // Every other tile runs through the sum backwards: what was read last is still in the L2 cache.
    __device__ int term(int tile, int block) const {
        const bool backwards = SERPENTINE && tile / step() % 2;
        return (backwards ? blocks_k - 1 - block : block) * BK;
    }
};

__device__ __forceinline__ void fill_ring(Ring ring, const Walk& walk, const TensorMap& map_a, const TensorMap& map_b) {
    constexpr int SHARE = BN / CLUSTER;  // rows of B that this block loads
    for (int tile = walk.first(); tile < walk.end(); tile += walk.step()) {
        const int2 corner = walk.corner(tile);
#pragma unroll 1
        for (int block = 0; block < walk.blocks_k; ++block) {
            const int term = walk.term(tile, block);
            if constexpr (PREFETCH > 0) {
                // Blocks in the same row or column of a wave share what they read: each asks for its turn of it.
                const int ahead = walk.term(tile, block + PREFETCH), turn = block + PREFETCH, across = blockIdx.x / DEPTH;
                const bool exists = turn < walk.blocks_k;
                if (exists && turn % (PERSISTENT_BLOCKS / DEPTH) == across) prefetch_box(map_a, corner.x, ahead);
                if (exists && turn % DEPTH == blockIdx.x % DEPTH) prefetch_box(map_b, corner.y, ahead);
            }
            barrier_wait(ring.empty_barrier(), ring.parity ^ 1);
            barrier_expect(ring.full_barrier(), SLOT_BYTES);
            load_box(ring.a(), map_a, corner.x, term, ring.full_barrier());
            if constexpr (CLUSTER > 1)
                load_box_for_all(ring.b() + walk.rank * SHARE * ROW_BYTES, map_b, corner.y + walk.rank * SHARE, term,
                                 ring.full_barrier());
            else
                load_box(ring.b(), map_b, corner.y, term, ring.full_barrier());
            ring.advance();
        }
    }
}

__device__ __forceinline__ unsigned rounded_pair(float low, float high) {
    unsigned pair;
    asm(ROUND_PAIR " %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}

// Straight from registers, two neighbours at a time; N is a multiple of 8.
__device__ __forceinline__ void store_pairs(Element* C, int M, int N, int row, int column, const float (&sum)[RESULTS]) {
    const int lane = threadIdx.x % 32, top = row + lane / 4;
#pragma unroll
    for (int j = 0; j < BN / 8; ++j) {
        const int at = column + 8 * j + 2 * (lane % 4);
#pragma unroll
        for (int half = 0; half < 2; ++half)
            if (top + 8 * half < M && at < N)
                *reinterpret_cast<unsigned*>(C + size_t(top + 8 * half) * N + at) =
                    rounded_pair(sum[4 * j + 2 * half], sum[4 * j + 2 * half + 1]);
    }
}

__device__ __forceinline__ void store_four_8x8(unsigned address, const float* sums) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address),
                 "r"(rounded_pair(sums[0], sums[1])), "r"(rounded_pair(sums[2], sums[3])),
                 "r"(rounded_pair(sums[4], sums[5])), "r"(rounded_pair(sums[6], sums[7])) : "memory");
}

// This warp's 16 rows in pieces of 64 columns, BATCH at a time. A piece's buffer is written again when the copy engine has
// read it; pieces outside C are counted as copied, so that the number of groups under way stays what it must be.
__device__ __forceinline__ void store_pieces(const TensorMap& map_c, int M, int N, int row, int column, unsigned pieces,
                                             const float (&sum)[RESULTS]) {
    const int lane = threadIdx.x % 32, lane_row = lane % 16, lane_chunk = lane / 16;
#pragma unroll
    for (int first = 0; first < BN / PIECE_COLUMNS; first += BATCH) {
        if (lane == 0) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(PIECES / BATCH - 1) : "memory");
        __syncwarp();
#pragma unroll
        for (int piece = first; piece < first + BATCH; ++piece)
#pragma unroll
            for (int chunk = 0; chunk < PIECE_COLUMNS / 8; chunk += 2)
                store_four_8x8(pieces + piece % PIECES * PIECE_BYTES + lane_row * ROW_BYTES +
                                   (((chunk + lane_chunk) ^ (lane_row % 8)) << 4),
                               sum + piece * (PIECE_COLUMNS / 2) + 4 * chunk);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncwarp();
        if (lane == 0) {
            for (int piece = first; piece < first + BATCH; ++piece)
                if (row < M && column + piece * PIECE_COLUMNS < N)
                    store_box(map_c, row, column + piece * PIECE_COLUMNS, pieces + piece % PIECES * PIECE_BYTES);
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
    }
}

#if CLUSTER > 1
#define CLUSTER_SHAPE __cluster_dims__(CLUSTER, 1, 1)
#else
#define CLUSTER_SHAPE
#endif

extern "C" __global__ void CLUSTER_SHAPE __launch_bounds__(THREADS, 1)
    wgmma(const Element*, const Element*, Element* C, int M, int N, int K, const __grid_constant__ TensorMap map_a,
          const __grid_constant__ TensorMap map_b
#if TMA_STORE
          , const __grid_constant__ TensorMap map_c
#endif
    ) {
    extern __shared__ char shared[];
    __shared__ alignas(8) unsigned long long full[SLOTS], empty[SLOTS];
    Ring ring{(shared_address(shared) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, shared_address(full), shared_address(empty)};
    if (threadIdx.x == CONSUMERS) prefetch_map(map_a), prefetch_map(map_b);
    if (threadIdx.x == 0) {
        for (int slot = 0; slot < SLOTS; ++slot) {
            barrier_init(ring.full + 8 * slot, 1);
            barrier_init(ring.empty + 8 * slot, WARPS * CLUSTER);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    wait_for_all_blocks();

    const Walk walk(M, N, K);
    const int group = threadIdx.x / GROUP_THREADS, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (group == CONSUMER_GROUPS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == CONSUMERS) fill_ring(ring, walk, map_a, map_b);
        __syncwarp();
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        for (int tile = walk.first(); tile < walk.end(); tile += walk.step()) {
            const int2 corner = walk.corner(tile);
            float sum[RESULTS];
#pragma unroll 1
            for (int block = 0; block < walk.blocks_k; ++block) {
                barrier_wait(ring.full_barrier(), ring.parity);
                multiply_slot(sum, ring.a() + group * GROUP_ROWS * ROW_BYTES, ring.b(), block == 0);
                if (lane < CLUSTER) barrier_arrive(ring.empty_barrier(), lane);
                ring.advance();
            }
            const int row = corner.x + warp * WARP_ROWS;
#if TMA_STORE
            const unsigned pieces = ring.slots + SLOTS * SLOT_BYTES + warp * (PIECES * PIECE_BYTES);
            store_pieces(map_c, M, N, row, corner.y, pieces, sum);
#else
            store_pairs(C, M, N, row, corner.y, sum);
#endif
        }
#if TMA_STORE
        if (lane == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        __syncwarp();
#endif
    }
    if constexpr (CLUSTER > 1) wait_for_all_blocks();  // a block that has left can neither be written to nor arrived at
}
