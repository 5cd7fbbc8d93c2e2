// One thread follows the chain from the line where the last launch ended (from line 0 where `last` holds no
// line). Before that the whole block loads sets that an L1 cache may hold, one word of each line.
constexpr int THREADS = 1024, WORDS_PER_LINE = 32, PRELOADED_LINES = 2048;

extern "C" __global__ void __launch_bounds__(THREADS)
    global_walk(const int* chain, int* last, int lines, int hops) {
    int seen = 0;
    if (lines <= PRELOADED_LINES)
        for (int line = threadIdx.x; line < lines; line += THREADS) seen |= __ldca(chain + line * WORDS_PER_LINE);
    // Never true: no entry of the chain is negative. It keeps the loads.
    if (seen < 0) last[0] = seen;
    __syncthreads();
    if (threadIdx.x != 0) return;

    int at = last[0] < 0 ? 0 : last[0] * WORDS_PER_LINE;
#pragma unroll 16
    for (int hop = 0; hop < hops; ++hop) at = __ldca(chain + at);
    last[0] = at / WORDS_PER_LINE;
}
