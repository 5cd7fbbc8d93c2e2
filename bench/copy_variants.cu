// LOADS float4 a thread, a block's pieces interleaved. HINT 0: none, 1: streaming, 2: streaming stores only.
#ifndef THREADS
#define THREADS 256
#define LOADS 1
#define HINT 0
#endif

extern "C" __global__ void __launch_bounds__(THREADS) copy_variant(const float* x, float* y, int n) {
    const long long quads = n / 4, first = static_cast<long long>(blockIdx.x) * THREADS * LOADS + threadIdx.x;
    const float4* from = reinterpret_cast<const float4*>(x);
    float4* to = reinterpret_cast<float4*>(y);
    float4 value[LOADS];
#pragma unroll
    for (int j = 0; j < LOADS; ++j)
        if (first + j * THREADS < quads)
            value[j] = HINT == 1 ? __ldcs(from + first + j * THREADS) : from[first + j * THREADS];
#pragma unroll
    for (int j = 0; j < LOADS; ++j)
        if (first + j * THREADS < quads) {
            if (HINT) __stcs(to + first + j * THREADS, value[j]);
            else to[first + j * THREADS] = value[j];
        }
    if (blockIdx.x == 0 && threadIdx.x < n % 4) y[4 * quads + threadIdx.x] = x[4 * quads + threadIdx.x];
}
