// Each thread transforms the 64 values of column i (64 x n) three times over: sums and differences of values
// 1, 2, 4 ... 32 apart. All indices are constants, so the values are registers as far as the compiler has them.
// Without launch bounds: they would overrule the cap that the compile option sets.
constexpr int VALUES = 64;
constexpr int TRANSFORMS = 3;

extern "C" __global__ void hadamard(const float* x, float* y, int n) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float values[VALUES];
#pragma unroll
    for (int j = 0; j < VALUES; ++j) values[j] = x[size_t(j) * n + i];
#pragma unroll 1
    for (int transform = 0; transform < TRANSFORMS; ++transform) {
#pragma unroll
        for (int apart = 1; apart < VALUES; apart *= 2) {
#pragma unroll
            for (int pair = 0; pair < VALUES / 2; ++pair) {
                const int j = pair / apart * 2 * apart + pair % apart;
                const float sum = values[j] + values[j + apart], difference = values[j] - values[j + apart];
                values[j] = sum;
                values[j + apart] = difference;
            }
        }
#pragma unroll
        for (int j = 0; j < VALUES; ++j) values[j] *= 0.125f;
    }
#pragma unroll
    for (int j = 0; j < VALUES; ++j) y[size_t(j) * n + i] = values[j];
}
