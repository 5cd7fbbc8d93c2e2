"""`extern "C" __global__ NAME(const float* aos, const float* soa, float* y, int n)`:
y = position + velocity / 2.
"""
