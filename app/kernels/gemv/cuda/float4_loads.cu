// A warp a row of W, k a multiple of 4. Each lane has eight 16-byte loads under way before the first is used.
constexpr int DEPTH = 8;

extern "C" __global__ void __launch_bounds__(256) float4_loads(const float* W, const float* x, float* y, int n,
                                                              int k) {
    const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    const float4* weights = reinterpret_cast<const float4*>(W + static_cast<long long>(row) * k);
    const float4* factors = reinterpret_cast<const float4*>(x);
    const int quads = k / 4;
    float sum = 0.0f;
    int i = lane;
    for (; i + 32 * (DEPTH - 1) < quads; i += 32 * DEPTH) {
        float4 w[DEPTH];
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) w[d] = __ldcs(weights + i + 32 * d);
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) {
            const float4 f = factors[i + 32 * d];
            sum = fmaf(w[d].x, f.x, fmaf(w[d].y, f.y, fmaf(w[d].z, f.z, fmaf(w[d].w, f.w, sum))));
        }
    }
    for (; i < quads; i += 32) {
        const float4 w = __ldcs(weights + i), f = factors[i];
        sum = fmaf(w.x, f.x, fmaf(w.y, f.y, fmaf(w.z, f.z, fmaf(w.w, f.w, sum))));
    }
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
    if (lane == 0) y[row] = sum;
}
