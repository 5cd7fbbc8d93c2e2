// As grid_read, but each thread first copies its quads to shared memory (quad j of a thread in row j) and
// reads them there. `quads` is THREADS times a power of two up to ROWS.
constexpr int BLOCK = 256, THREADS = 512 * BLOCK, STEPS = 2048, IN_FLIGHT = 4, ROWS = 8;

extern "C" __global__ void __launch_bounds__(BLOCK) shared_memory(const int* x, int* sums, int quads) {
    __shared__ int4 rows[ROWS][BLOCK];
    const int thread = blockIdx.x * BLOCK + threadIdx.x;
    const int wrap = quads / THREADS - 1;
#pragma unroll 1
    for (int row = 0; row <= wrap; ++row)
        rows[row][threadIdx.x] = reinterpret_cast<const int4*>(x)[size_t(row) * THREADS + thread];
    __syncthreads();

    int sum = 0;
#pragma unroll 1
    for (int step = 0; step < STEPS; step += IN_FLIGHT) {
        int4 quad[IN_FLIGHT];
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; ++i) quad[i] = rows[(step + i) & wrap][threadIdx.x];
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; ++i) sum += quad[i].x + quad[i].y + quad[i].z + quad[i].w;
    }
    sums[thread] = sum;
}
