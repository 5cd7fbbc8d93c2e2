// Column XOR row: no padding, and both a row and a column of the tile touch every bank once.
constexpr int TILE = 32, ROWS = 8;

extern "C" __global__ void __launch_bounds__(256) swizzle(const float* x, float* y, int rows, int columns) {
    __shared__ float tile[TILE][TILE];
    const int lane = threadIdx.x, first = threadIdx.y;
    const long long left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    for (int i = first; i < TILE; i += ROWS)
        if (top + i < rows && left + lane < columns) tile[i][lane ^ i] = x[(top + i) * columns + left + lane];
    __syncthreads();
    for (int i = first; i < TILE; i += ROWS)
        if (left + i < columns && top + lane < rows) y[(left + i) * rows + top + lane] = tile[lane][i ^ lane];
}
