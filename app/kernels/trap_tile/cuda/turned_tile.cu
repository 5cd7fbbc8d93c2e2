// Each block turns its 32x32 tile in shared memory an odd number of times, so that shared memory and not
// DRAM decides the time. With PAD 0 the 32 lanes that read a column meet in one bank.
#ifndef PAD
#define PAD 1
#endif
constexpr int TILE = 32, ROUNDS = 33;

extern "C" __global__ void turned_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE][TILE + PAD];
    const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float value = row < n && column < n ? x[size_t(row) * n + column] : 0.0f;
    for (int round = 0; round < ROUNDS; ++round) {
        tile[threadIdx.y][threadIdx.x] = value;
        __syncthreads();
        value = tile[threadIdx.x][threadIdx.y];
        __syncthreads();
    }
    const int turned_row = blockIdx.x * TILE + threadIdx.y, turned_column = blockIdx.y * TILE + threadIdx.x;
    if (turned_row < n && turned_column < n) y[size_t(turned_row) * n + turned_column] = value;
}
