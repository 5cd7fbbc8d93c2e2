// A thread stores one float4; the thread behind the last whole one stores what is left.
extern "C" __global__ void __launch_bounds__(256) float4_store(const float* pattern, float* z, int n) {
    const size_t first = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) * 4;
    if (first + 4 <= n) {
        *reinterpret_cast<float4*>(z + first) = *reinterpret_cast<const float4*>(pattern);
    } else {
        for (size_t i = first; i < n; ++i) z[i] = pattern[i - first];
    }
}
