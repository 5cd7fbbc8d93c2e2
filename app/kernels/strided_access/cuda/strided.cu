// Lane i reads word i * stride: beyond a stride of 8 each lane has a sector of its own.
extern "C" __global__ void __launch_bounds__(256) strided(const float* x, float* y, int n, int stride) {
    const long long i = blockIdx.x * 256LL + threadIdx.x;
    if (i < n) y[i] = x[i * stride] + 1.0f;
}
