// All elements in one launch, an element a thread.
extern "C" __global__ void __launch_bounds__(256) one_launch(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaf(2.0f, x[i], 1.0f);
}
