// Thread t of all THREADS adds up quads t, t + THREADS, ... of x, again and again, STEPS in all. `quads` is
// THREADS times a power of two. PAST_L1 makes every load go to the L2 cache.
constexpr int BLOCK = 256, THREADS = 512 * BLOCK, STEPS = 2048, IN_FLIGHT = 4;

extern "C" __global__ void __launch_bounds__(BLOCK) grid_read(const int* x, int* sums, int quads) {
    const int thread = blockIdx.x * BLOCK + threadIdx.x;
    const int4* from = reinterpret_cast<const int4*>(x) + thread;
    const int wrap = quads / THREADS - 1;
    int sum = 0;
#pragma unroll 1
    for (int step = 0; step < STEPS; step += IN_FLIGHT) {
        int4 quad[IN_FLIGHT];
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; ++i) {
            const int4* at = from + size_t((step + i) & wrap) * THREADS;
#ifdef PAST_L1
            quad[i] = __ldcg(at);
#else
            quad[i] = __ldca(at);
#endif
        }
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; ++i) sum += quad[i].x + quad[i].y + quad[i].z + quad[i].w;
    }
    sums[thread] = sum;
}
