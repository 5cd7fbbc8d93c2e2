// Reads a buffer larger than the last-level cache, so that what lay there goes, and what was dirty is written
// back before the clock starts. A memset would leave the cache full of dirty lines: the kernel under the clock
// would pay for writing them back.
extern "C" __global__ void __launch_bounds__(256) flush(const float4* buffer, unsigned long long quads, float* sink) {
    float sum = 0.0f;
    const unsigned long long step = gridDim.x * 256ULL;
    for (unsigned long long i = blockIdx.x * 256ULL + threadIdx.x; i < quads; i += step) {
        const float4 value = buffer[i];
        sum += value.x + value.y + value.z + value.w;
    }
    if (sum != 0.0f) *sink = sum;  // never: the buffer holds zeros, which the compiler cannot know
}
