// A block of 256 threads adds up one chunk of 4096 elements with the weights of one pass. Only the order of
// the blocks differs: pass after pass over the whole array, or chunk after chunk with its 8 passes side by
// side, when the chunk is still in the L2 cache.
#ifndef BLOCKED
#define BLOCKED 1
#endif
constexpr int THREADS = 256;
constexpr int CHUNK = 4096;
constexpr int PASSES = 8;

extern "C" __global__ void __launch_bounds__(THREADS) weighted_sums(const float* x, float* sums, int n) {
    __shared__ float partial[THREADS];
    const int chunks = (n - 1) / CHUNK + 1;
    const int pass = BLOCKED ? blockIdx.x % PASSES : blockIdx.x / chunks;
    const int chunk = BLOCKED ? blockIdx.x / PASSES : blockIdx.x % chunks;
    const size_t start = size_t(chunk) * CHUNK;

    float sum = 0.0f;
#pragma unroll
    for (int step = 0; step < CHUNK / (4 * THREADS); ++step) {
        const int at = 4 * (step * THREADS + threadIdx.x);
        float4 value = {0.0f, 0.0f, 0.0f, 0.0f};
        if (start + at + 3 < n) {
            value = *reinterpret_cast<const float4*>(x + start + at);
        } else {
            if (start + at < n) value.x = x[start + at];
            if (start + at + 1 < n) value.y = x[start + at + 1];
            if (start + at + 2 < n) value.z = x[start + at + 2];
        }
        sum = fmaf(float((at + pass) % PASSES), value.x, sum);
        sum = fmaf(float((at + 1 + pass) % PASSES), value.y, sum);
        sum = fmaf(float((at + 2 + pass) % PASSES), value.z, sum);
        sum = fmaf(float((at + 3 + pass) % PASSES), value.w, sum);
    }
    partial[threadIdx.x] = sum;
    for (int width = THREADS / 2; width > 0; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width) partial[threadIdx.x] += partial[threadIdx.x + width];
    }
    if (threadIdx.x == 0) sums[size_t(pass) * chunks + chunk] = partial[0];
}
