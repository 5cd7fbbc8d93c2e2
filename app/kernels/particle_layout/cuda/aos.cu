// Position and velocity of one coordinate: all seven fields lie in the sectors that two of them need.
extern "C" __global__ void __launch_bounds__(256) aos(const float* aos_, const float* soa_, float* y, int n) {
    const long long i = blockIdx.x * 256LL + threadIdx.x;
    if (i < n) y[i] = aos_[7 * i] + 0.5f * aos_[7 * i + 3];
}
