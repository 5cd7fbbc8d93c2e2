// Chains of multiply-adds in registers: each thread takes 16 elements of x through 8192 times
// v -> -1 v + 0 and writes them to z. The factor depends on n, so it is no compile-time constant, and
// 16 chains a thread hide the latency of 4 cycles with one warp a scheduler. The loop is 99 % FFMA.
constexpr int CHAINS = 16, COUNT = 8192, UNROLL = 64;

extern "C" __global__ void __launch_bounds__(256) fp32_fma(const float* x, const float* y, float* z, int n) {
    const float factor = n < 0 ? 1.0f : -1.0f, addend = n < 0 ? 1.0f : 0.0f;
    const size_t first = size_t(blockIdx.x) * (blockDim.x * CHAINS) + threadIdx.x;
    float value[CHAINS];
#pragma unroll
    for (int i = 0; i < CHAINS; ++i) value[i] = first + i * blockDim.x < n ? x[first + i * blockDim.x] : 0.0f;
    for (int count = 0; count < COUNT; count += UNROLL) {
#pragma unroll
        for (int step = 0; step < UNROLL; ++step)
#pragma unroll
            for (int i = 0; i < CHAINS; ++i) value[i] = fmaf(value[i], factor, addend);
    }
#pragma unroll
    for (int i = 0; i < CHAINS; ++i)
        if (first + i * blockDim.x < n) z[first + i * blockDim.x] = value[i];
}
