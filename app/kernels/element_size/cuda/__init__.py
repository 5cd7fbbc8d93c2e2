"""`extern "C" __global__ moved(const float* x, float* y, int n)`: y = x, n words, ELEMENT_BYTES at a time."""
