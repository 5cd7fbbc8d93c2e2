// A 64 x 64 tile, a float4 a thread and pass on both sides. In shared memory the float4 of a row are XORed with
// (row / 4) mod 8: a quarter-warp stores to eight different groups of banks, and a warp that gathers four
// columns of 32 rows meets each bank once. Tiles at an edge, and pitches that are no multiple of 4, go word
// by word. DOWN: neighbouring blocks take tiles below each other, so that together they write whole rows of y.
#ifndef THREADS
#define THREADS 256
#define DOWN 0
#endif
constexpr int TILE = 64;

__device__ int place(int row, int column) {
    return row * TILE + ((column / 4) ^ (row / 4 & 7)) * 4 + column % 4;
}

extern "C" __global__ void __launch_bounds__(THREADS) vector_tile(const float* x, float* y, int rows, int columns) {
    __shared__ __align__(16) float tile[TILE * TILE];
    const long long left = (DOWN ? blockIdx.y : blockIdx.x) * TILE, top = (DOWN ? blockIdx.x : blockIdx.y) * TILE;
    const int t = threadIdx.x;
    if (left + TILE <= columns && top + TILE <= rows && rows % 4 == 0 && columns % 4 == 0) {
#pragma unroll
        for (int pass = 0; pass < TILE * TILE / 4 / THREADS; ++pass) {
            const int row = pass * (THREADS / 16) + t / 16, column = t % 16 * 4;
            *reinterpret_cast<float4*>(&tile[place(row, column)]) =
                *reinterpret_cast<const float4*>(&x[(top + row) * columns + left + column]);
        }
        __syncthreads();
#pragma unroll
        for (int pass = 0; pass < TILE * TILE / 4 / THREADS; ++pass) {
            const int share = pass * (THREADS / 32) + t / 32, lane = t % 32;
            const int row = share % 2 * 32 + lane % 8 * 4, column = share / 2 * 4 + lane / 8;
            const float4 turned = make_float4(tile[place(row, column)], tile[place(row + 1, column)],
                                              tile[place(row + 2, column)], tile[place(row + 3, column)]);
            *reinterpret_cast<float4*>(&y[(left + column) * rows + top + row]) = turned;
        }
        return;
    }
    for (int i = t; i < TILE * TILE; i += THREADS)
        if (top + i / TILE < rows && left + i % TILE < columns)
            tile[place(i / TILE, i % TILE)] = x[(top + i / TILE) * columns + left + i % TILE];
    __syncthreads();
    for (int i = t; i < TILE * TILE; i += THREADS)
        if (left + i / TILE < columns && top + i % TILE < rows)
            y[(left + i / TILE) * rows + top + i % TILE] = tile[place(i % TILE, i / TILE)];
}
