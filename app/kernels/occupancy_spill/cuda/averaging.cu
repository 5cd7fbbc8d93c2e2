// Each thread averages 8 rings of 8 values with their neighbours, 32 rounds, HELD rings at a time in
// registers. MIN_BLOCKS blocks an SM cap the registers of a thread at 65536 / (256 MIN_BLOCKS).
#ifndef HELD
#define HELD 8
#endif
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1
#endif
constexpr int RING = 8, RINGS = 8, ROUNDS = 32;

extern "C" __global__ void __launch_bounds__(256, MIN_BLOCKS) averaging(const float* x, float* y, int n) {
    const int thread = blockIdx.x * 256 + threadIdx.x;
    if (thread >= n) return;
#pragma unroll 1
    for (int first = 0; first < RINGS; first += HELD) {
        const size_t at = size_t(first) * RING * n + thread;
        float value[HELD][RING];
#pragma unroll
        for (int i = 0; i < HELD * RING; ++i) value[i / RING][i % RING] = x[at + size_t(i) * n];
#pragma unroll 1
        for (int round = 0; round < ROUNDS; ++round) {
#pragma unroll
            for (int ring = 0; ring < HELD; ++ring) {
                const float head = value[ring][0];
#pragma unroll
                for (int i = 0; i < RING - 1; ++i) value[ring][i] = 0.5f * (value[ring][i] + value[ring][i + 1]);
                value[ring][RING - 1] = 0.5f * (value[ring][RING - 1] + head);
            }
        }
#pragma unroll
        for (int i = 0; i < HELD * RING; ++i) y[at + size_t(i) * n] = value[i / RING][i % RING];
    }
}
