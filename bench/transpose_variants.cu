// A ROWS x COLUMNS tile of float4 with XOR swizzle, as the vector tile, its blocks in an order of their own.
// GROUP 0: along the rows of x. GROUP g > 0: g x g tiles of blocks are finished before the next, so that both
// sides touch runs of g tiles at about one time.
#ifndef ROWS
#define ROWS 64
#define COLUMNS 64
#define GROUP 0
#define THREADS 256
#define HINT 0
#endif

__device__ int place(int row, int column) {
    return row * COLUMNS + ((column / 4) ^ (row / 4 & 7)) * 4 + column % 4;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    transpose_variant(const float* x, float* y, int rows, int columns) {
    __shared__ __align__(16) float tile[ROWS * COLUMNS];
    int bx = blockIdx.x, by = blockIdx.y;
    if (GROUP > 0) {
        constexpr int SIDE = GROUP > 0 ? GROUP : 1;
        const int index = by * gridDim.x + bx, group = index / (SIDE * SIDE), inside = index % (SIDE * SIDE);
        const int across = gridDim.x / SIDE;
        bx = group % across * SIDE + inside % SIDE;
        by = group / across * SIDE + inside / SIDE;
    } else if (GROUP < 0) {
        const int index = by * gridDim.x + bx;
        by = index % gridDim.y;
        bx = index / gridDim.y;
    }
    const long long left = bx * COLUMNS, top = by * ROWS;
    const int t = threadIdx.x;
    constexpr int QUADS = COLUMNS / 4, ROWS_A_PASS = THREADS / QUADS;
#pragma unroll
    for (int pass = 0; pass < ROWS / ROWS_A_PASS; ++pass) {
        const int row = pass * ROWS_A_PASS + t / QUADS, column = t % QUADS * 4;
        *reinterpret_cast<float4*>(&tile[place(row, column)]) =
            *reinterpret_cast<const float4*>(&x[(top + row) * columns + left + column]);
    }
    __syncthreads();
    constexpr int WARPS = THREADS / 32, BANDS = ROWS / 32;
#pragma unroll
    for (int pass = 0; pass < BANDS * QUADS / WARPS; ++pass) {
        const int share = pass * WARPS + t / 32, lane = t % 32;
        const int row = share % BANDS * 32 + lane % 8 * 4, column = share / BANDS * 4 + lane / 8;
        const float4 turned = make_float4(tile[place(row, column)], tile[place(row + 1, column)],
                                          tile[place(row + 2, column)], tile[place(row + 3, column)]);
        float4* to = reinterpret_cast<float4*>(&y[(left + column) * rows + top + row]);
        if (HINT) __stcs(to, turned);
        else *to = turned;
    }
}
