// ROWS rows of W a block, k a multiple of 4: each float4 of x serves four rows, and DEPTH of them are under way a
// thread and row. Rows past the end read the last one again and are not written.
constexpr int THREADS = 512, ROWS = 4, DEPTH = 2;

__device__ float dot(float4 w, float4 f, float sum) {
    return fmaf(w.x, f.x, fmaf(w.y, f.y, fmaf(w.z, f.z, fmaf(w.w, f.w, sum))));
}

extern "C" __global__ void __launch_bounds__(THREADS)
    float4_rows(const float* W, const float* x, float* y, int n, int k) {
    __shared__ float warp_sums[ROWS][THREADS / 32];
    const int quads = k / 4, lane = threadIdx.x % 32, warp = threadIdx.x / 32, top = blockIdx.x * ROWS;
    const float4* factors = reinterpret_cast<const float4*>(x);
    const float4* weights[ROWS];
    float sum[ROWS] = {};
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
        weights[r] = reinterpret_cast<const float4*>(W) + static_cast<long long>(min(top + r, n - 1)) * quads;
    int i = threadIdx.x;
    for (; i + THREADS * (DEPTH - 1) < quads; i += THREADS * DEPTH) {
        float4 w[ROWS][DEPTH];
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
#pragma unroll
            for (int d = 0; d < DEPTH; ++d) w[r][d] = __ldcs(weights[r] + i + THREADS * d);
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) {
            const float4 f = factors[i + THREADS * d];
#pragma unroll
            for (int r = 0; r < ROWS; ++r) sum[r] = dot(w[r][d], f, sum[r]);
        }
    }
    for (; i < quads; i += THREADS) {
        const float4 f = factors[i];
#pragma unroll
        for (int r = 0; r < ROWS; ++r) sum[r] = dot(__ldcs(weights[r] + i), f, sum[r]);
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        for (int distance = 16; distance > 0; distance /= 2) sum[r] += __shfl_xor_sync(~0u, sum[r], distance);
        if (lane == 0) warp_sums[r][warp] = sum[r];
    }
    __syncthreads();
    if (threadIdx.x < ROWS && top + threadIdx.x < n) {
        float total = 0.0f;
        for (int w = 0; w < THREADS / 32; ++w) total += warp_sums[threadIdx.x][w];
        y[top + threadIdx.x] = total;
    }
}
