// The incident: the tile is filled down its columns (32 wavefronts a store), read down its columns again, and
// written with lanes a whole row of y apart (32 sectors a store). The tile is there and serves nothing.
constexpr int TILE = 32, ROWS = 8;

extern "C" __global__ void __launch_bounds__(256) strided_store(const float* x, float* y, int rows, int columns) {
    __shared__ float tile[TILE][TILE];
    const int lane = threadIdx.x, first = threadIdx.y;
    const long long left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    for (int i = first; i < TILE; i += ROWS)
        if (top + i < rows && left + lane < columns) tile[lane][i] = x[(top + i) * columns + left + lane];
    __syncthreads();
    for (int i = first; i < TILE; i += ROWS)
        if (top + i < rows && left + lane < columns) y[(left + lane) * rows + top + i] = tile[lane][i];
}
