// Copies a slice to y, as widely as the slice's start allows: from a 16-byte boundary one float4 a thread and
// the up to three elements left over, else one float a thread. The destination is aligned in both.
#ifndef ALIGNED
#define ALIGNED 1
#endif

extern "C" __global__ void __launch_bounds__(256)
    copy_slice(const float* shifted, const float* aligned, float* y, int n) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
#if ALIGNED
    const size_t quads = n / 4;
    if (i < quads) reinterpret_cast<float4*>(y)[i] = reinterpret_cast<const float4*>(aligned)[i];
    if (i < n % 4) y[4 * quads + i] = aligned[4 * quads + i];
#else
    constexpr int SHIFT = 1;
    if (i < n) y[i] = (shifted + SHIFT)[i];
#endif
}
