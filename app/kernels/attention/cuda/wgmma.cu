// The tensor-core rung on Hopper. A block of three warp groups holds 128 queries of one head. One thread of the first
// group has the copy engine (TMA) bring K and V in tiles of 128 keys, two of each on their way; the other two groups
// take 64 queries each and multiply with WGMMA. Scores stay in registers, where they are also the left operand of the
// product with V. While the tensor pipe works on scores of the next tile and values of this one, a group weighs the
// scores it has; and while one group weighs, the other keeps the pipe busy.
// shared: queries, keys [2], values [2], each [D / 64 slabs][128 rows][64 columns], rows of 128 bytes in the 128-byte
//         swizzle. V is read along its rows, so its descriptor says "columns contiguous" and the product transposes.
// thread: of columns 8 j and the seven after, 2 (lane mod 4) and the next one, in row lane / 4 and in the row 8 below.
// Rows past the last key of a head belong to the next head or are zeros: their scores are hidden. Grid: query tiles
// (x), heads (y).
constexpr int ROWS = 128;
constexpr int KEYS = 128;
constexpr int SLOTS = 2;
constexpr int SLAB_COLUMNS = 64;
constexpr int GROUP_ROWS = 64, CONSUMER_GROUPS = 2;
constexpr int GROUP_THREADS = 128, THREADS = (CONSUMER_GROUPS + 1) * GROUP_THREADS;
constexpr int CONSUMER_WARPS = CONSUMER_GROUPS * 4;
constexpr int ROW_BYTES = 128, SLAB_BYTES = 128 * ROW_BYTES, ALIGNMENT = 1024;
constexpr int SCORES = KEYS / 2;  // a thread's
constexpr float LOG2_E = 1.4426950408889634f;
constexpr float LOWEST = -3.0e38f;  // below every score

using Half = unsigned short;  // the 16 bits of a float16

struct alignas(128) TensorMap {
    unsigned long long words[16];
};

// Shared addresses; the barriers of a slot lie 8 bytes apart.
struct Shared {
    unsigned queries, keys, values, full_queries, full_keys, empty_keys, full_values, empty_values;
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

// 128 rows from `row` on, all slabs of them.
template <int D>
__device__ __forceinline__ void load_tile(unsigned target, const TensorMap& map, int row, unsigned full) {
    barrier_expect(full, D / SLAB_COLUMNS * SLAB_BYTES);
#pragma unroll
    for (int slab = 0; slab < D / SLAB_COLUMNS; ++slab)
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
                "r"(target + slab * SLAB_BYTES),
            "l"(&map), "r"(slab * SLAB_COLUMNS), "r"(row), "r"(full) : "memory");
}

// Rows of 128 bytes in the 128-byte swizzle, 1024 bytes from one group of 8 rows to the next. `slab_bytes` says how far
// the next 64 columns lie, where columns are what is multiplied side by side; along its rows an operand needs none.
__device__ __forceinline__ unsigned long long descriptor(unsigned address, unsigned slab_bytes = 16) {
    return (address & 0x3FFFF) >> 4 | (unsigned long long)(slab_bytes >> 4) << 16 | (1024ull >> 4) << 32 | 1ull << 62;
}

#define REGISTERS8(i)                                                                                        \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]),              \
        "+f"(d[i + 6]), "+f"(d[i + 7])
#define REGISTERS32(i) REGISTERS8(i), REGISTERS8(i + 8), REGISTERS8(i + 16), REGISTERS8(i + 24)
#define NAMES32                                                                                              \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                                 \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define NAMES64                                                                                              \
    NAMES32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "             \
            "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"

// d (+)= a b of 64 rows and 128 columns, asynchronously; a and b are descriptors.
__device__ __forceinline__ void multiply_add(float (&d)[64], unsigned long long a, unsigned long long b, int add) {
    asm volatile(
        "{\n.reg .pred accumulate;\nsetp.ne.b32 accumulate, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" NAMES64 "}, %64, %65, accumulate, 1, 1, 0, 0;\n}"
        : REGISTERS32(0), REGISTERS32(32)
        : "l"(a), "l"(b), "r"(add));
}

// d += a b with a in registers and the rows of b along the sum: 128 columns, or 64.
__device__ __forceinline__ void multiply_add_rows(float (&d)[64], const unsigned* a, unsigned long long b) {
    asm volatile(
        "{\n.reg .pred accumulate;\nsetp.eq.b32 accumulate, 0, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" NAMES64 "}, {%64, %65, %66, %67}, %68, accumulate, 1, 1, 1;\n}"
        : REGISTERS32(0), REGISTERS32(32)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ __forceinline__ void multiply_add_rows(float (&d)[32], const unsigned* a, unsigned long long b) {
    asm volatile(
        "{\n.reg .pred accumulate;\nsetp.eq.b32 accumulate, 0, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" NAMES32 "}, {%32, %33, %34, %35}, %36, accumulate, 1, 1, 1;\n}"
        : REGISTERS32(0)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ __forceinline__ void begin_products() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void end_products() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Until at most LEFT groups of products are under way; then `d` may be read, and not before.
template <int LEFT, int N>
__device__ __forceinline__ void wait_products(float (&d)[N]) {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory");
#pragma unroll
    for (int i = 0; i < N; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

template <int D>
__device__ __forceinline__ void begin_scores(float (&scores)[SCORES], unsigned queries, unsigned keys) {
    begin_products();
#pragma unroll
    for (int k = 0; k < D / 16; ++k) {
        const unsigned at = k / 4 * SLAB_BYTES + k % 4 * 32;
        multiply_add(scores, descriptor(queries + at), descriptor(keys + at), k > 0);
    }
    end_products();
}

template <int D>
__device__ __forceinline__ void begin_values(float (&outputs)[D / 2], const unsigned (&weights)[SCORES / 2],
                                             unsigned values) {
    begin_products();
#pragma unroll
    for (int k = 0; k < KEYS / 16; ++k)
        multiply_add_rows(outputs, weights + 4 * k, descriptor(values + k * 16 * ROW_BYTES, SLAB_BYTES));
    end_products();
}

__device__ __forceinline__ float power_of_two(float exponent) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent));
    return power;
}

// Two floats as halves, `low` in the lower 16 bits.
__device__ __forceinline__ unsigned rounded(float low, float high) {
    unsigned pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}

// Keys beyond the last get no weight.
__device__ __forceinline__ void hide(float (&scores)[SCORES], int keys, int lane) {
#pragma unroll
    for (int i = 0; i < SCORES; ++i)
        if (i / 4 * 8 + lane % 4 * 2 + i % 2 >= keys) scores[i] = LOWEST;
}

// What the softmax of one row knows so far; `rescale`: what its earlier outputs must be multiplied by.
struct Row {
    float highest = LOWEST, sum = 0.0f, rescale = 1.0f;
};

// Scores of row `half` (this thread's upper or lower one) become weights.
__device__ __forceinline__ void weigh(float (&scores)[SCORES], int half, float scale, Row& row) {
    float peak = row.highest;
#pragma unroll
    for (int j = 0; j < SCORES; j += 4) peak = fmaxf(peak, fmaxf(scores[j + 2 * half], scores[j + 2 * half + 1]));
    peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, 1));
    peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, 2));
    const float offset = peak * scale;
    row.rescale = power_of_two(row.highest * scale - offset);
    row.highest = peak;
    float added = 0.0f;
#pragma unroll
    for (int j = 0; j < SCORES; j += 4)
#pragma unroll
        for (int i = j + 2 * half; i < j + 2 * half + 2; ++i) {
            scores[i] = power_of_two(scores[i] * scale - offset);
            added += scores[i];
        }
    row.sum = row.sum * row.rescale + added;
}

__device__ __forceinline__ void round_weights(unsigned (&weights)[SCORES / 2], const float (&scores)[SCORES]) {
#pragma unroll
    for (int i = 0; i < SCORES / 2; ++i) weights[i] = rounded(scores[2 * i], scores[2 * i + 1]);
}

template <int D>
__device__ __forceinline__ void rescale_outputs(float (&outputs)[D / 2], const Row (&rows)[2]) {
#pragma unroll
    for (int i = 0; i < D / 2; ++i) outputs[i] *= rows[i / 2 % 2].rescale;
}

template <int D>
__device__ __forceinline__ void write_rows(Half* O, const float (&outputs)[D / 2], const Row (&rows)[2], int row0,
                                           int length, int lane) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        float all = rows[half].sum;
        all += __shfl_xor_sync(~0u, all, 1);
        all += __shfl_xor_sync(~0u, all, 2);
        const float inverse = 1.0f / all;
        const int row = row0 + lane / 4 + 8 * half;
        if (row >= length) continue;
        unsigned* to = reinterpret_cast<unsigned*>(O + size_t(row) * D) + lane % 4;
#pragma unroll
        for (int j = 0; j < D / 8; ++j)
            to[4 * j] = rounded(outputs[4 * j + 2 * half] * inverse, outputs[4 * j + 2 * half + 1] * inverse);
    }
}

template <int D>
__device__ __forceinline__ void bring_tiles(const Shared& at, const TensorMap& map_q, const TensorMap& map_k,
                                            const TensorMap& map_v, int head_row, int row0, int tiles) {
    constexpr int TILE_BYTES = D / SLAB_COLUMNS * SLAB_BYTES;
    load_tile<D>(at.queries, map_q, head_row + row0, at.full_queries);
    for (int tile = 0; tile < tiles; ++tile) {
        const int slot = tile % SLOTS, parity = tile / SLOTS % 2 ^ 1, row = head_row + tile * KEYS;
        barrier_wait(at.empty_keys + 8 * slot, parity);
        load_tile<D>(at.keys + slot * TILE_BYTES, map_k, row, at.full_keys + 8 * slot);
        barrier_wait(at.empty_values + 8 * slot, parity);
        load_tile<D>(at.values + slot * TILE_BYTES, map_v, row, at.full_values + 8 * slot);
    }
}

template <int D>
__device__ __forceinline__ void attend(const Shared& at, Half* O, int row0, int length, int tiles) {
    constexpr int TILE_BYTES = D / SLAB_COLUMNS * SLAB_BYTES;
    const int group = threadIdx.x / GROUP_THREADS - 1, warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
    const unsigned queries = at.queries + group * GROUP_ROWS * ROW_BYTES;
    const float scale = LOG2_E * rsqrtf(float(D));
    float outputs[D / 2] = {}, scores[SCORES];
    unsigned weights[SCORES / 2];
    Row rows[2];
    barrier_wait(at.full_queries, 0);
    barrier_wait(at.full_keys, 0);
    begin_scores<D>(scores, queries, at.keys);
    wait_products<0>(scores);
    if (lane == 0) barrier_arrive(at.empty_keys);
    if (tiles == 1) hide(scores, length, lane);
#pragma unroll
    for (int half = 0; half < 2; ++half) weigh(scores, half, scale, rows[half]);
    round_weights(weights, scores);
    for (int tile = 1; tile < tiles; ++tile) {
        const int slot = tile % SLOTS, before = slot ^ 1;
        barrier_wait(at.full_keys + 8 * slot, tile / SLOTS % 2);
        begin_scores<D>(scores, queries, at.keys + slot * TILE_BYTES);
        barrier_wait(at.full_values + 8 * before, (tile - 1) / SLOTS % 2);
        begin_values<D>(outputs, weights, at.values + before * TILE_BYTES);
        wait_products<1>(scores);
        if (lane == 0) barrier_arrive(at.empty_keys + 8 * slot);
        if (tile == tiles - 1) hide(scores, length - tile * KEYS, lane);
#pragma unroll
        for (int half = 0; half < 2; ++half) weigh(scores, half, scale, rows[half]);
        wait_products<0>(outputs);
        if (lane == 0) barrier_arrive(at.empty_values + 8 * before);
        rescale_outputs<D>(outputs, rows);
        round_weights(weights, scores);
    }
    const int last = tiles - 1;
    barrier_wait(at.full_values + 8 * (last % SLOTS), last / SLOTS % 2);
    begin_values<D>(outputs, weights, at.values + last % SLOTS * TILE_BYTES);
    wait_products<0>(outputs);
    write_rows<D>(O, outputs, rows, row0 + group * GROUP_ROWS + warp * 16, length, lane);
}

template <int D>
__device__ __forceinline__ void run(const Shared& at, Half* O, int length, const TensorMap& map_q,
                                    const TensorMap& map_k, const TensorMap& map_v) {
    const int row0 = blockIdx.x * ROWS, head_row = blockIdx.y * length, tiles = (length + KEYS - 1) / KEYS;
    if (threadIdx.x < GROUP_THREADS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x == 0) bring_tiles<D>(at, map_q, map_k, map_v, head_row, row0, tiles);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        attend<D>(at, O + size_t(head_row) * D, row0, length, tiles);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    wgmma(const Half* Q, const Half* K, const Half* V, Half* O, int heads, int length, int head_dim,
                    const __grid_constant__ TensorMap map_q, const __grid_constant__ TensorMap map_k,
                    const __grid_constant__ TensorMap map_v) {
    extern __shared__ unsigned char dynamic[];
    __shared__ unsigned long long barriers[1 + 4 * SLOTS];
    Shared at;
    at.queries = (shared_address(dynamic) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    at.keys = at.queries + head_dim / SLAB_COLUMNS * SLAB_BYTES;
    at.values = at.keys + SLOTS * (head_dim / SLAB_COLUMNS) * SLAB_BYTES;
    at.full_queries = shared_address(barriers);
    at.full_keys = at.full_queries + 8, at.empty_keys = at.full_keys + 8 * SLOTS;
    at.full_values = at.empty_keys + 8 * SLOTS, at.empty_values = at.full_values + 8 * SLOTS;
    if (threadIdx.x == 0) {
        barrier_init(at.full_queries, 1);
        for (int slot = 0; slot < SLOTS; ++slot) {
            barrier_init(at.full_keys + 8 * slot, 1), barrier_init(at.full_values + 8 * slot, 1);
            barrier_init(at.empty_keys + 8 * slot, CONSUMER_WARPS), barrier_init(at.empty_values + 8 * slot, CONSUMER_WARPS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (head_dim == 128)
        run<128>(at, O, length, map_q, map_k, map_v);
    else
        run<64>(at, O, length, map_q, map_k, map_v);
}
