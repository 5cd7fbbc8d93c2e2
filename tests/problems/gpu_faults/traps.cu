// executes a trap.
extern "C" __global__ void traps(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) asm volatile("trap;");
}
