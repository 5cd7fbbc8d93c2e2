"""`extern "C" __global__ NAME(const float* x, float* y, int n)`, sliced ones with `int launch` behind."""
