// ROWS rows of W a block of THREADS, DEPTH float4 in flight a thread and row, k a multiple of 4 * THREADS * DEPTH.
#ifndef ROWS
#define ROWS 1
#define THREADS 256
#define DEPTH 4
#define HINT 1
#endif

__device__ float dot(float4 w, float4 f, float sum) {
    return fmaf(w.x, f.x, fmaf(w.y, f.y, fmaf(w.z, f.z, fmaf(w.w, f.w, sum))));
}

__device__ float4 weight(const float4* from) { return HINT == 1 ? __ldcs(from) : HINT == 2 ? __ldcg(from) : *from; }

extern "C" __global__ void __launch_bounds__(THREADS) gemv_variant(const float* W, const float* x, float* y, int n, int k) {
    __shared__ float warp_sums[ROWS][THREADS / 32];
    const int quads = k / 4, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const float4* factors = reinterpret_cast<const float4*>(x);
    const float4* weights = reinterpret_cast<const float4*>(W) + static_cast<long long>(blockIdx.x) * ROWS * quads;
    float sum[ROWS] = {};
    for (int i = threadIdx.x; i < quads; i += THREADS * DEPTH) {
        float4 w[ROWS][DEPTH];
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
#pragma unroll
            for (int d = 0; d < DEPTH; ++d) w[r][d] = weight(weights + static_cast<long long>(r) * quads + i + THREADS * d);
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) {
            const float4 f = factors[i + THREADS * d];
#pragma unroll
            for (int r = 0; r < ROWS; ++r) sum[r] = dot(w[r][d], f, sum[r]);
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        for (int distance = 16; distance > 0; distance /= 2) sum[r] += __shfl_xor_sync(~0u, sum[r], distance);
        if (lane == 0) warp_sums[r][warp] = sum[r];
    }
    __syncthreads();
    if (threadIdx.x < ROWS) {
        float total = 0.0f;
        for (int w = 0; w < THREADS / 32; ++w) total += warp_sums[threadIdx.x][w];
        y[blockIdx.x * ROWS + threadIdx.x] = total;
    }
}
