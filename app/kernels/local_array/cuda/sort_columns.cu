// Each thread sorts column i of x (16 x n) by odd-even transposition: 16 rounds of compare-exchanges between
// neighbours. Rolled up, the index into `values` is a run-time number, so the array must have an address and
// lies in local memory. Unrolled, every index is a constant and every value a register.
#ifndef UNROLLED
#define UNROLLED 1
#endif
constexpr int COUNT = 16;
#if UNROLLED
#define STEPWISE _Pragma("unroll")
#else
#define STEPWISE _Pragma("unroll 1")
#endif

extern "C" __global__ void __launch_bounds__(256) sort_columns(const float* x, float* y, int n) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float values[COUNT];
#pragma unroll
    for (int j = 0; j < COUNT; ++j) values[j] = x[size_t(j) * n + i];
    STEPWISE
    for (int round = 0; round < COUNT; ++round) {
        STEPWISE
        for (int j = round % 2; j + 1 < COUNT; j += 2) {
            const float low = fminf(values[j], values[j + 1]), high = fmaxf(values[j], values[j + 1]);
            values[j] = low;
            values[j + 1] = high;
        }
    }
#pragma unroll
    for (int j = 0; j < COUNT; ++j) y[size_t(j) * n + i] = values[j];
}
