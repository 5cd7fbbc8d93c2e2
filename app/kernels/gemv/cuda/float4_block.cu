// A block a row of W, k a multiple of 4: DEPTH 16-byte loads a thread cover 4096 terms at once, and short blocks
// leave no long tail when the last rows run out. The order of the sum is fixed: lanes, then warps.
#ifndef THREADS
#define THREADS 256
#define DEPTH 4
#endif

__device__ float dot(float4 w, float4 f, float sum) {
    return fmaf(w.x, f.x, fmaf(w.y, f.y, fmaf(w.z, f.z, fmaf(w.w, f.w, sum))));
}

__device__ float warp_sum(float sum) {
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
    return sum;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    float4_block(const float* W, const float* x, float* y, int n, int k) {
    __shared__ float warp_sums[THREADS / 32];
    const float4* weights = reinterpret_cast<const float4*>(W + static_cast<long long>(blockIdx.x) * k);
    const float4* factors = reinterpret_cast<const float4*>(x);
    const int quads = k / 4, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = 0.0f;
    int i = threadIdx.x;
    for (; i + THREADS * (DEPTH - 1) < quads; i += THREADS * DEPTH) {
        float4 w[DEPTH];
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) w[d] = __ldcs(weights + i + THREADS * d);
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) sum = dot(w[d], factors[i + THREADS * d], sum);
    }
    for (; i < quads; i += THREADS) sum = dot(__ldcs(weights + i), factors[i], sum);
    sum = warp_sum(sum);
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < THREADS / 32 ? warp_sums[lane] : 0.0f);
        if (lane == 0) y[blockIdx.x] = sum;
    }
}
