// leaves its last element unwritten.
extern "C" __global__ void unwritten(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) y[i] = 2.0f * x[i];
}
