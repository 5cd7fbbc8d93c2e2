// One float4 a thread, then the up to three elements left over, by the first block. More loads a thread, larger
// blocks and streaming hints are all slower on an H200 (bench/copy_variants.py); this is the copy roof too.
extern "C" __global__ void __launch_bounds__(256) vector_tail(const float* x, float* y, int n) {
    const int quads = n / 4;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < quads) reinterpret_cast<float4*>(y)[i] = reinterpret_cast<const float4*>(x)[i];
    if (blockIdx.x == 0 && threadIdx.x < n % 4) y[4 * quads + threadIdx.x] = x[4 * quads + threadIdx.x];
}
