// All lanes of one warp follow a chain in constant memory together, so every load is a broadcast. It starts at
// the line where the last launch ended (line 0 where `last` holds no line).
constexpr int LINES = 1024, WORDS_PER_LINE = 16;

struct Chain {
    int next[LINES * WORDS_PER_LINE];
    __host__ __device__ constexpr Chain() : next() {
        for (unsigned line = 0; line < LINES; ++line)
            next[line * WORDS_PER_LINE] = (1664525u * line + 1013904223u) % LINES * WORDS_PER_LINE;
    }
};
__constant__ Chain chain = Chain();

extern "C" __global__ void __launch_bounds__(32) constant_walk(int* last, int lines, int hops) {
    const int mask = lines * WORDS_PER_LINE - 1;
    int at = last[0] < 0 ? 0 : last[0] * WORDS_PER_LINE;
    __syncwarp();
#pragma unroll 16
    for (int hop = 0; hop < hops; ++hop) at = chain.next[at] & mask;
    if (threadIdx.x == 0) last[0] = at / WORDS_PER_LINE;
}
