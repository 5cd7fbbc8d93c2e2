// The double buffer with larger tiles for a warp and a thread: a warp computes 64 x 64 results and a thread 16 x 8, so that
// 24 values from shared memory feed 128 multiply-adds, and half as many threads hold the same block tile.
//
// block:  128 threads compute BM x BN results; each of 4 warps WM x WN of them with lanes LANE_ROWS x LANE_COLUMNS.
// shared: tile_a [2][BK][BM + 4] holds A transposed (k, row), tile_b [2][BK][BN] holds B (k, column).
// thread: TM x TN results in quads; quad q of rows begins at 4 (lane_row + LANE_ROWS q), columns likewise.
// Blocks that lie inside the matrices with 16-byte aligned rows take the vector path; all others load
// and store element by element, zero beyond the edge.
constexpr int BM = 128, BN = 128, BK = 8;
constexpr int WM = 64, WN = 64, TM = 16, TN = 8;
constexpr int THREADS = 128, BLOCKS_PER_SM = 2, PADDING = 4;
constexpr int LANE_ROWS = WM / TM, LANE_COLUMNS = WN / TN, WARP_COLUMNS = BN / WN;
constexpr int QUADS_A = BM * BK / 4 / THREADS, QUADS_B = BN * BK / 4 / THREADS;
static_assert(LANE_ROWS * LANE_COLUMNS == 32 && (BM / WM) * WARP_COLUMNS == THREADS / 32, "warps must cover the tile");
static_assert(QUADS_A * 4 * THREADS == BM * BK && QUADS_B * 4 * THREADS == BN * BK, "whole quads a thread");

struct Tiles {
    float a[2][BK][BM + PADDING];
    float b[2][BK][BN];
};

// Four neighbours of a row from `column` on; elements at or beyond `end` read as zero.
template <bool VECTOR>
__device__ __forceinline__ float4 load_quad(const float* row, int column, int end, bool row_exists) {
    if (VECTOR) return *reinterpret_cast<const float4*>(row + column);
    const int count = row_exists ? end - column : 0;
    return make_float4(count > 0 ? row[column] : 0.0f, count > 1 ? row[column + 1] : 0.0f,
                       count > 2 ? row[column + 2] : 0.0f, count > 3 ? row[column + 3] : 0.0f);
}

// Neighbouring lanes share a 32-byte sector of A and differ by 16 banks when they store it transposed.
__device__ __forceinline__ int row_of_a(int load) { return (threadIdx.x / 2 + load * (THREADS / 2)) % BM; }
__device__ __forceinline__ int k_of_a(int load) {
    return 4 * (threadIdx.x % 2) + 8 * ((threadIdx.x / 2 + load * (THREADS / 2)) / BM);
}
__device__ __forceinline__ int k_of_b(int load) { return (threadIdx.x + load * THREADS) / (BN / 4); }
__device__ __forceinline__ int column_of_b(int load) { return 4 * ((threadIdx.x + load * THREADS) % (BN / 4)); }

template <bool VECTOR>
__device__ __forceinline__ void load_tiles(const float* A, const float* B, int M, int N, int K, int k0,
                                           float4 (&a)[QUADS_A], float4 (&b)[QUADS_B]) {
#pragma unroll
    for (int load = 0; load < QUADS_A; ++load) {
        const int row = blockIdx.y * BM + row_of_a(load);
        a[load] = load_quad<VECTOR>(A + size_t(row) * K, k0 + k_of_a(load), K, row < M);
    }
#pragma unroll
    for (int load = 0; load < QUADS_B; ++load) {
        const int k = k0 + k_of_b(load);
        b[load] = load_quad<VECTOR>(B + size_t(k) * N, blockIdx.x * BN + column_of_b(load), N, k < K);
    }
}

__device__ __forceinline__ void store_tiles(Tiles& tiles, int buffer, const float4 (&a)[QUADS_A],
                                            const float4 (&b)[QUADS_B]) {
#pragma unroll
    for (int load = 0; load < QUADS_A; ++load) {
        const int row = row_of_a(load), k = k_of_a(load);
        tiles.a[buffer][k][row] = a[load].x;
        tiles.a[buffer][k + 1][row] = a[load].y;
        tiles.a[buffer][k + 2][row] = a[load].z;
        tiles.a[buffer][k + 3][row] = a[load].w;
    }
#pragma unroll
    for (int load = 0; load < QUADS_B; ++load)
        *reinterpret_cast<float4*>(&tiles.b[buffer][k_of_b(load)][column_of_b(load)]) = b[load];
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

__device__ __forceinline__ void multiply_tiles(const Tiles& tiles, int buffer, int row, int column,
                                               float (&sum)[TM][TN]) {
#pragma unroll
    for (int k = 0; k < BK; ++k) {
        float a[TM], b[TN];
        read_fragment<TM, 4 * LANE_ROWS>(&tiles.a[buffer][k][row], a);
        read_fragment<TN, 4 * LANE_COLUMNS>(&tiles.b[buffer][k][column], b);
#pragma unroll
        for (int i = 0; i < TM; ++i)
#pragma unroll
            for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
    }
}

template <bool VECTOR>
__device__ __forceinline__ void store_quad(float* row, int column, int end, const float* four) {
    if constexpr (VECTOR) {
        *reinterpret_cast<float4*>(row + column) = make_float4(four[0], four[1], four[2], four[3]);
    } else {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (column + i < end) row[column + i] = four[i];
    }
}

template <bool VECTOR>
__device__ __forceinline__ void multiply_block(Tiles& tiles, const float* A, const float* B, float* C, int M, int N,
                                               int K) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp / WARP_COLUMNS * WM + 4 * (lane / LANE_COLUMNS);
    const int column = warp % WARP_COLUMNS * WN + 4 * (lane % LANE_COLUMNS);
    float4 next_a[QUADS_A], next_b[QUADS_B];
    float sum[TM][TN] = {};

    load_tiles<VECTOR>(A, B, M, N, K, 0, next_a, next_b);
    store_tiles(tiles, 0, next_a, next_b);
    __syncthreads();
    int buffer = 0;
    for (int k0 = BK; k0 < K; k0 += BK) {
        load_tiles<VECTOR>(A, B, M, N, K, k0, next_a, next_b);
        multiply_tiles(tiles, buffer, row, column, sum);
        buffer ^= 1;
        store_tiles(tiles, buffer, next_a, next_b);
        __syncthreads();
    }
    multiply_tiles(tiles, buffer, row, column, sum);

#pragma unroll
    for (int i = 0; i < TM; ++i) {
        const int i_row = blockIdx.y * BM + row + i % 4 + 4 * LANE_ROWS * (i / 4);
        if (!VECTOR && i_row >= M) continue;
#pragma unroll
        for (int j = 0; j < TN; j += 4)
            store_quad<VECTOR>(C + size_t(i_row) * N, blockIdx.x * BN + column + LANE_COLUMNS * j, N, &sum[i][j]);
    }
}

__device__ __forceinline__ bool is_aligned(const void* pointer) { return reinterpret_cast<size_t>(pointer) % 16 == 0; }

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    warp_tile(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ __align__(16) Tiles tiles;
    const bool is_inside = (blockIdx.y + 1) * BM <= M && (blockIdx.x + 1) * BN <= N && K % BK == 0;
    const bool is_vector = N % 4 == 0 && is_aligned(A) && is_aligned(B) && is_aligned(C);
    if (is_inside && is_vector)
        multiply_block<true>(tiles, A, B, C, M, N, K);
    else
        multiply_block<false>(tiles, A, B, C, M, N, K);
}
