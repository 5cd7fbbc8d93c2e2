// The block copies the chain to shared memory, then one thread follows it from the line where the last
// launch ended (from line 0 where `last` holds no line).
constexpr int THREADS = 1024, WORDS_PER_LINE = 32, LARGEST_LINES = 256;

extern "C" __global__ void __launch_bounds__(THREADS)
    shared_walk(const int* chain, int* last, int lines, int hops) {
    __shared__ int set[LARGEST_LINES * WORDS_PER_LINE];
    for (int i = threadIdx.x; i < lines * WORDS_PER_LINE; i += THREADS) set[i] = chain[i];
    __syncthreads();
    if (threadIdx.x != 0) return;

    int at = last[0] < 0 ? 0 : last[0] * WORDS_PER_LINE;
#pragma unroll 16
    for (int hop = 0; hop < hops; ++hop) at = set[at];
    last[0] = at / WORDS_PER_LINE;
}
