// Threads 0 to 15 wait at the barrier for all others, which wait for a flag that is set after the barrier:
// neither side goes on, and the launch never ends.
extern "C" __global__ void divergent_barrier(const float* x, float* y, int n) {
    __shared__ volatile int passed;
    if (threadIdx.x == 0) passed = 0;
    __syncthreads();
    if (threadIdx.x < 16) {
        __syncthreads();
        passed = 1;
    } else {
        while (passed == 0) {
        }
    }
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
