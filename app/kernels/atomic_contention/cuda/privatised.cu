// Each warp counts into 16 words of its own in shared memory; a block then adds its eight copies up and goes
// to global memory once a bin. Launch 0 clears the bins, launch 1 counts.
constexpr int BINS = 16;
constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;

extern "C" __global__ void __launch_bounds__(THREADS) privatised(const int* x, int* bins, int n, int launch) {
    const int first = blockIdx.x * THREADS + threadIdx.x;
    if (launch == 0) {
        if (first < BINS) bins[first] = 0;
        return;
    }
    __shared__ int counts[WARPS][BINS];
    if (threadIdx.x < WARPS * BINS) counts[threadIdx.x / BINS][threadIdx.x % BINS] = 0;
    __syncthreads();
    const int stride = gridDim.x * THREADS;
    for (int i = first; i < n; i += stride) atomicAdd(&counts[threadIdx.x / 32][x[i]], 1);
    __syncthreads();
    if (threadIdx.x < BINS) {
        int total = 0;
        for (int warp = 0; warp < WARPS; ++warp) total += counts[warp][threadIdx.x];
        atomicAdd(&bins[threadIdx.x], total);
    }
}
