// A warp a row of W. Each lane has eight 4-byte loads under way; the warp's sums meet by shuffles.
extern "C" __global__ void __launch_bounds__(256) scalar(const float* W, const float* x, float* y, int n, int k) {
    const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    const float* weights = W + static_cast<long long>(row) * k;
    float sum = 0.0f;
#pragma unroll 8
    for (int i = lane; i < k; i += 32) sum = fmaf(__ldcs(weights + i), x[i], sum);
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
    if (lane == 0) y[row] = sum;
}
