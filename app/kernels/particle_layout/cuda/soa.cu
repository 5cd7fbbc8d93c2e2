// Position and velocity of one coordinate: only the two fields are moved.
extern "C" __global__ void __launch_bounds__(256) soa(const float* aos_, const float* soa_, float* y, int n) {
    const long long i = blockIdx.x * 256LL + threadIdx.x;
    if (i < n) y[i] = soa_[i] + 0.5f * soa_[3LL * n + i];
}
