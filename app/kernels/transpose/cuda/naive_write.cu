// Reads down columns of x, a sector a lane; writes along rows of y, four sectors a warp.
constexpr int TILE = 32, ROWS = 8;

extern "C" __global__ void __launch_bounds__(256) naive_write(const float* x, float* y, int rows, int columns) {
    const long long row = blockIdx.y * TILE + threadIdx.x;
    for (int step = 0; step < TILE; step += ROWS) {
        const long long column = blockIdx.x * TILE + threadIdx.y + step;
        if (row < rows && column < columns) y[column * rows + row] = x[row * columns + column];
    }
}
