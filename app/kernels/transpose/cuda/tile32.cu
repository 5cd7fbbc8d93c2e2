// A tile in shared memory turns the matrix, so both sides are coalesced. Its column read meets one bank:
// 32 words, 32 wavefronts.
constexpr int TILE = 32, ROWS = 8;

extern "C" __global__ void __launch_bounds__(256) tile32(const float* x, float* y, int rows, int columns) {
    __shared__ float tile[TILE][TILE];
    const int lane = threadIdx.x, first = threadIdx.y;
    const long long left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    for (int i = first; i < TILE; i += ROWS)
        if (top + i < rows && left + lane < columns) tile[i][lane] = x[(top + i) * columns + left + lane];
    __syncthreads();
    for (int i = first; i < TILE; i += ROWS)
        if (left + i < columns && top + lane < rows) y[(left + i) * rows + top + lane] = tile[lane][i];
}
