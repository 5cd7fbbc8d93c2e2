// A block of 256 threads takes 256 elements through shared memory, so that warp w gets the 32 elements of
// kind w: all lanes of a warp take one branch. Loads and stores stay those of neighbouring lanes.
constexpr int ROUNDS = 256;
constexpr int THREADS = 256;
constexpr int KINDS = 8;

template <int KIND>
__device__ float apply(float value) {
    constexpr float slope = 1.0f - (KIND + 1) / 1024.0f, shift = (KIND - 3.5f) / 64.0f;
#pragma unroll 16
    for (int round = 0; round < ROUNDS; ++round) value = fmaf(value, slope, shift);
    return value;
}

extern "C" __global__ void __launch_bounds__(THREADS) uniform(const float* x, float* y, int n) {
    __shared__ float values[THREADS];
    const size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x;
    values[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    const int kind = threadIdx.x / 32;
    const int own = threadIdx.x % 32 * KINDS + kind;
    const float value = values[own];
    float result = 0.0f;
    switch (kind) {
        case 0: result = apply<0>(value); break;
        case 1: result = apply<1>(value); break;
        case 2: result = apply<2>(value); break;
        case 3: result = apply<3>(value); break;
        case 4: result = apply<4>(value); break;
        case 5: result = apply<5>(value); break;
        case 6: result = apply<6>(value); break;
        default: result = apply<7>(value); break;
    }
    values[own] = result;
    __syncthreads();
    if (i < n) y[i] = values[threadIdx.x];
}
