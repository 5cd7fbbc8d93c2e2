// Every warp reads the same words of shared memory, lane i word (i / sharers) * stride. Each read goes 32
// words further on, which changes no bank and keeps the compiler from reading once for all.
constexpr int THREADS = 256, ROUNDS = 32, STEPS = 32, WORDS = 32 * 32 + 32 * (STEPS + ROUNDS);

extern "C" __global__ void __launch_bounds__(THREADS)
    warp_read(const int* x, int* y, int stride, int sharers) {
    __shared__ int words[WORDS];
    for (int i = threadIdx.x; i < WORDS; i += THREADS) words[i] = x[i];
    __syncthreads();

    const int first = int(threadIdx.x % 32) / sharers * stride;
    int sum = 0;
#pragma unroll 1
    for (int start = 0; start < ROUNDS; ++start) {
        const int* from = words + first + 32 * start;
#pragma unroll
        for (int step = 0; step < STEPS; ++step) sum += from[32 * step];
    }
    y[blockIdx.x * THREADS + threadIdx.x] = sum;
}
