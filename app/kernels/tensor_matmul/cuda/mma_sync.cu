// A block multiplies BM x BN results, 64 terms of the sum at a time. cp.async keeps a ring of SLOTS pairs of tiles filled
// while warps multiply with mma.sync; ldmatrix hands them fragments of the tiles.
//
// shared: slots [SLOTS] of A [BM rows][64 k] and B [BN rows][64 k]. A row is 128 bytes; its 16-byte piece p lies at
//         p ^ (row mod 8), so that the eight rows that ldmatrix reads at a time lie in different banks.
// warp:   64 x 64 results, four by eight of m16n8. lane: of such a one rows g = lane / 4 and g + 8, columns
//         2 (lane mod 4) and the next one.
// Fragments of the next 16 terms are read while the tensor cores work on these; the barrier of a slot stands before its
// last step, which covers the reading of the next slot's first.
// options: -DBFLOAT16=1; BN, SLOTS and BLOCKS_PER_SM for other cuts.
#ifndef BFLOAT16
#define BFLOAT16 0
#endif
#ifndef BM
#define BM 128
#endif
#ifndef BN
#define BN 256
#endif
#ifndef SLOTS
#define SLOTS 3
#endif
#ifndef BLOCKS_PER_SM
#define BLOCKS_PER_SM 1
#endif
#ifndef DEPTH
#define DEPTH 16
#endif
constexpr int BK = 64, STEP = 16, STEPS = BK / STEP, OCTET = 8, OCTETS = BK / OCTET, ROW_BYTES = 2 * BK;
constexpr int WARP_EDGE = 64, WARPS_ACROSS = BN / WARP_EDGE, WARPS = BM / WARP_EDGE * WARPS_ACROSS, THREADS = 32 * WARPS;
constexpr int DOWN = WARP_EDGE / 16, ACROSS = WARP_EDGE / 8;
constexpr int TILE_A_BYTES = BM * ROW_BYTES, SLOT_BYTES = (BM + BN) * ROW_BYTES;

using Element = unsigned short;  // the bits of an fp16 or bf16 value

struct Matrix {
    const Element* values;
    int first_row, rows;
};

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// This thread's 16 bytes of every so many rows, without a detour through registers. Outside the matrix nothing is read and
// zeros are written. K is a multiple of 8.
template <int ROWS>
__device__ __forceinline__ void copy_tile(unsigned tile, const Matrix& matrix, int k0, int K) {
    const int piece = threadIdx.x % OCTETS, first = threadIdx.x / OCTETS, k = k0 + piece * OCTET;
    const unsigned target = tile + first * ROW_BYTES + ((piece ^ first % 8) << 4);
    const int left = k < K ? matrix.rows - matrix.first_row - first : 0;  // rows from here on that exist
    constexpr int APART = THREADS / OCTETS;
    const char* from = reinterpret_cast<const char*>(matrix.values + size_t(matrix.first_row + first) * K + k);
    const size_t stride = size_t(2 * APART) * K;
#pragma unroll
    for (int i = 0; i < ROWS / APART; ++i, from += stride)
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(target + i * APART * ROW_BYTES),
                     "l"(from), "r"(i * APART < left ? 16 : 0) : "memory");
}

// Slot of a block of 64 terms; a block behind the end leaves an empty group, so that groups can be counted.
__device__ __forceinline__ void fill_slot(unsigned slots, const Matrix& a, const Matrix& b, int block, int blocks, int K) {
    if (block < blocks) {
        const unsigned slot = slots + block % SLOTS * SLOT_BYTES;
        copy_tile<BM>(slot, a, block * BK, K);
        copy_tile<BN>(slot + TILE_A_BYTES, b, block * BK, K);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

struct Fragments {
    unsigned a[DOWN][4], b[ACROSS][2];
};

__device__ __forceinline__ void load_four_8x8(unsigned address, unsigned& r0, unsigned& r1, unsigned& r2, unsigned& r3) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(address) : "memory");
}

// Where a lane's row of 16 bytes lies at the first step; a later step flips bits of the piece.
struct Reader {
    unsigned a, b;

    __device__ Reader() {
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, swizzle = lane % 8;
        const int row = warp / WARPS_ACROSS * WARP_EDGE + lane % 16;
        const int column = warp % WARPS_ACROSS * WARP_EDGE + lane / 16 * 8 + lane % 8;
        a = row * ROW_BYTES + ((lane / 16 ^ swizzle) << 4);
        b = TILE_A_BYTES + column * ROW_BYTES + ((lane / 8 % 2 ^ swizzle) << 4);
    }
    __device__ __forceinline__ void load(Fragments& fragments, unsigned slot, int step) const {
        const unsigned flip = step * (2 * STEP);
#pragma unroll
        for (int i = 0; i < DOWN; ++i) {
            unsigned(&f)[4] = fragments.a[i];
            load_four_8x8(slot + (a ^ flip) + i * 16 * ROW_BYTES, f[0], f[1], f[2], f[3]);
        }
#pragma unroll
        for (int j = 0; j < ACROSS; j += 2) {
            unsigned(&f)[2] = fragments.b[j], (&g)[2] = fragments.b[j + 1];
            load_four_8x8(slot + (b ^ flip) + j * 8 * ROW_BYTES, f[0], f[1], g[0], g[1]);
        }
    }
};

__device__ __forceinline__ void multiply_add(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if BFLOAT16
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
#else
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
#endif
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Down the rows and up again: neighbouring instructions share a fragment.
__device__ __forceinline__ void multiply_step(float (&sum)[DOWN][ACROSS][4], const Fragments& fragments) {
#pragma unroll
    for (int j = 0; j < ACROSS; ++j)
#pragma unroll
        for (int step = 0; step < DOWN; ++step) {
            const int i = j % 2 ? DOWN - 1 - step : step;
            multiply_add(sum[i][j], fragments.a[i], fragments.b[j]);
        }
}

__device__ __forceinline__ void wait_for_next_slot() {
    asm volatile("cp.async.wait_group %0;" ::"n"(SLOTS - 2) : "memory");
    __syncthreads();
}

__device__ __forceinline__ void sum_products(unsigned slots, const Matrix& a, const Matrix& b, int K,
                                             float (&sum)[DOWN][ACROSS][4]) {
    const Reader reader;
    const int blocks = (K + BK - 1) / BK;
#pragma unroll
    for (int block = 0; block < SLOTS - 1; ++block) fill_slot(slots, a, b, block, blocks, K);
    wait_for_next_slot();
    Fragments fragments[2];
    reader.load(fragments[0], slots, 0);
#pragma unroll 1
    for (int block = 0; block < blocks; ++block) {
        const unsigned slot = slots + block % SLOTS * SLOT_BYTES, next = slots + (block + 1) % SLOTS * SLOT_BYTES;
#pragma unroll
        for (int step = 0; step < STEPS; ++step) {
            if (step + 1 < STEPS) {
                reader.load(fragments[(step + 1) % 2], slot, step + 1);
            } else {
                wait_for_next_slot();
                reader.load(fragments[0], next, 0);
            }
            // Into the slot of the block before this one, which all warps left at their last barrier.
            if (step == 0) fill_slot(slots, a, b, block + SLOTS - 1, blocks, K);
            multiply_step(sum, fragments[step % 2]);
        }
    }
    asm volatile("cp.async.wait_group 0;" ::: "memory");
}

__device__ __forceinline__ unsigned rounded_pair(float low, float high) {
    unsigned pair;
#if BFLOAT16
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
#else
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
#endif
    return pair;
}

// This lane's first result of the block; the others lie 8 rows and 8 columns apart.
__device__ __forceinline__ int first_row() { return threadIdx.x / 32 / WARPS_ACROSS * WARP_EDGE + threadIdx.x % 32 / 4; }
__device__ __forceinline__ int first_column() { return threadIdx.x / 32 % WARPS_ACROSS * WARP_EDGE + 2 * (threadIdx.x % 4); }

// One by one, for rows of C that do not begin at multiples of 16 bytes.
__device__ __forceinline__ void store_each(Element* C, int M, int N, int row0, int column0,
                                           const float (&sum)[DOWN][ACROSS][4]) {
#pragma unroll
    for (int i = 0; i < 2 * DOWN; ++i)
#pragma unroll
        for (int j = 0; j < ACROSS; ++j) {
            const int row = row0 + first_row() + 8 * i, column = column0 + first_column() + 8 * j;
            const unsigned pair = rounded_pair(sum[i / 2][j][2 * (i % 2)], sum[i / 2][j][2 * (i % 2) + 1]);
            if (row < M && column < N) C[size_t(row) * N + column] = static_cast<Element>(pair);
            if (row < M && column + 1 < N) C[size_t(row) * N + column + 1] = static_cast<Element>(pair >> 16);
        }
}

// Through the warp's own part of shared memory, [64 rows][64 columns] swizzled like the tiles, so that a warp writes four
// rows of 128 bytes at a time.
__device__ __forceinline__ void store_rows(Element* C, int M, int N, int row0, int column0, unsigned shared,
                                           const float (&sum)[DOWN][ACROSS][4]) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned staged = shared + warp * (WARP_EDGE * ROW_BYTES);
#pragma unroll
    for (int i = 0; i < 2 * DOWN; ++i)
#pragma unroll
        for (int j = 0; j < ACROSS; ++j)
            asm volatile("st.shared.b32 [%0], %1;" ::"r"(staged + (8 * i + lane / 4) * ROW_BYTES + ((j ^ lane / 4) << 4) +
                                                         lane % 4 * 4),
                         "r"(rounded_pair(sum[i / 2][j][2 * (i % 2)], sum[i / 2][j][2 * (i % 2) + 1])) : "memory");
    __syncwarp();
    const int piece = lane % OCTETS;
    const int column = column0 + warp % WARPS_ACROSS * WARP_EDGE + piece * OCTET;
#pragma unroll
    for (int i = 0; i < WARP_EDGE / 4; ++i) {
        const int row_of_warp = 4 * i + lane / OCTETS, row = row0 + warp / WARPS_ACROSS * WARP_EDGE + row_of_warp;
        uint4 octet;
        asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(octet.x), "=r"(octet.y), "=r"(octet.z), "=r"(octet.w)
                     : "r"(staged + row_of_warp * ROW_BYTES + ((piece ^ row_of_warp % 8) << 4)) : "memory");
        if (row < M && column < N) *reinterpret_cast<uint4*>(C + size_t(row) * N + column) = octet;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    mma_sync(const Element* A, const Element* B, Element* C, int M, int N, int K) {
    extern __shared__ char shared[];
    const unsigned slots = shared_address(shared);
    const int tiles_m = (M + BM - 1) / BM, tiles_n = (N + BN - 1) / BN;
    const int band = blockIdx.x / (DEPTH * tiles_n), within = blockIdx.x % (DEPTH * tiles_n);
    const int rows = min(DEPTH, tiles_m - band * DEPTH);  // tiles are walked so many rows deep, for the L2 cache
    const int row0 = (band * DEPTH + within % rows) * BM, column0 = within / rows * BN;
    const Matrix a{A, row0, M}, b{B, column0, N};
    float sum[DOWN][ACROSS][4] = {};
    sum_products(slots, a, b, K, sum);
    __syncthreads();  // the ring becomes room for results
    if (N % OCTET == 0)
        store_rows(C, M, N, row0, column0, slots, sum);
    else
        store_each(C, M, N, row0, column0, sum);
}
