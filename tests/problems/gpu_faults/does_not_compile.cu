// the compiler refuses the source.
extern "C" __global__ void does_not_compile(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = no_such_name;
}
