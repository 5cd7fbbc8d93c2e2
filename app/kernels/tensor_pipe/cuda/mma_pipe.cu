// The tiles of fma_pipe, kept as halves, multiplied by mma.sync m16n8k16 on the tensor pipe. Each of the four
// warps holds 32 x 32 results: 2 x 4 fragments of 16 x 8. With group = lane / 4 and pair = lane % 4 a lane
// holds of A the halves (group, 2 pair), (group + 8, 2 pair) and both 8 further in k; of B (2 pair, group) and
// 8 further in k; of C the floats (group, 2 pair) and (group + 8, 2 pair); each with its neighbour in k, of C
// in the row. Tiles hold words of two halves that are neighbours in k, so B lies by columns. Rows are padded
// to 20 words: the 32 lanes of a store of B, as those of a fragment load, meet 32 banks.
using Half = unsigned short;  // the 16 bits of a float16

constexpr int TILE = 64;
constexpr int DEPTH = 32;
constexpr int WORDS = DEPTH / 2;  // of two halves, neighbours in k
constexpr int PADDED = WORDS + 4;
constexpr int THREADS = 128;

// Element of a row-major matrix, zero beyond its edges.
__device__ unsigned element(const Half* matrix, size_t row, size_t column, int rows, int columns) {
    return row < rows && column < columns ? matrix[row * columns + column] : 0;
}

__device__ void multiply_add(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

extern "C" __global__ void __launch_bounds__(THREADS)
    mma_pipe(const Half* A, const Half* B, float* C, int M, int N, int K) {
    __shared__ unsigned tile_a[TILE][PADDED];
    __shared__ unsigned tile_b[TILE][PADDED];  // by columns
    const size_t row0 = size_t(blockIdx.y) * TILE, column0 = size_t(blockIdx.x) * TILE;
    const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, pair = threadIdx.x % 4;
    const int top = warp / 2 * 32, left = warp % 2 * 32;

    float sums[2][4][4] = {};
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        for (int at = threadIdx.x; at < TILE * WORDS; at += THREADS) {
            const int row = at / WORDS, word = at % WORDS, k = k0 + 2 * word;
            tile_a[row][word] =
                element(A, row0 + row, k, M, K) | element(A, row0 + row, k + 1, M, K) << 16;
        }
        for (int at = threadIdx.x; at < TILE * WORDS; at += THREADS) {
            const int column = at / 8 / WORDS * 8 + at % 8, word = at / 8 % WORDS, k = k0 + 2 * word;
            tile_b[column][word] =
                element(B, k, column0 + column, K, N) | element(B, k + 1, column0 + column, K, N) << 16;
        }
        __syncthreads();
#pragma unroll
        for (int word = 0; word < WORDS; word += 8) {
            unsigned b[4][2];
#pragma unroll
            for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int half = 0; half < 2; ++half)
                    b[j][half] = tile_b[left + 8 * j + group][word + 4 * half + pair];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const int row = top + 16 * i + group;
                const unsigned a[4] = {tile_a[row][word + pair], tile_a[row + 8][word + pair],
                                       tile_a[row][word + 4 + pair], tile_a[row + 8][word + 4 + pair]};
#pragma unroll
                for (int j = 0; j < 4; ++j) multiply_add(sums[i][j], a, b[j]);
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            for (int q = 0; q < 4; ++q) {
                const size_t row = row0 + top + 16 * i + group + q / 2 * 8;
                const size_t column = column0 + left + 8 * j + 2 * pair + q % 2;
                if (row < M && column < N) C[row * N + column] = sums[i][j][q];
            }
}
