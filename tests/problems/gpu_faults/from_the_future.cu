// needs a GPU that does not exist yet.
extern "C" __global__ void from_the_future(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.0f * x[i];
}
