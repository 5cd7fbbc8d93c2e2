// Reads along rows of x, four sectors a warp; writes down columns of y, a sector a lane.
constexpr int TILE = 32, ROWS = 8;

extern "C" __global__ void __launch_bounds__(256) naive_read(const float* x, float* y, int rows, int columns) {
    const long long column = blockIdx.x * TILE + threadIdx.x;
    for (int step = 0; step < TILE; step += ROWS) {
        const long long row = blockIdx.y * TILE + threadIdx.y + step;
        if (row < rows && column < columns) y[column * rows + row] = x[row * columns + column];
    }
}
