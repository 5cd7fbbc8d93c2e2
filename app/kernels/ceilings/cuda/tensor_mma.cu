// Each warp multiplies fragments in registers with mma.sync over and over: four of A (16 rows) by four of B (8
// columns), 256 bits deep, so 16 sums that do not wait for each other. The sign of B turns with every round and
// ROUNDS is odd: the sums end as one product. They are then compared with the fragments' own row sums by FP32
// multiply-adds; z is x where a warp's agree, else NaN. Operands come from the bits of x, random in sign and
// mantissa as real data is.
#if defined(FP16)
#define SHAPE "m16n8k16.row.col.f32.f16.f16.f32"
constexpr int BITS = 16, SHIFT = 13, REBIAS = 112;
constexpr unsigned RANDOM = 0x87FF87FF, FIXED = 0x38003800, SIGNS = 0x80008000;  // 0.5 to 2, either sign
#elif defined(BF16)
#define SHAPE "m16n8k16.row.col.f32.bf16.bf16.f32"
constexpr int BITS = 16, SHIFT = 16, REBIAS = 0;
constexpr unsigned RANDOM = 0x80FF80FF, FIXED = 0x3F003F00, SIGNS = 0x80008000;
#elif defined(TF32)
#define SHAPE "m16n8k8.row.col.f32.tf32.tf32.f32"
constexpr int BITS = 32, SHIFT = 0, REBIAS = 0;
constexpr unsigned RANDOM = 0x80FFE000, FIXED = 0x3F000000, SIGNS = 0x80000000;
#elif defined(FP8)
#define SHAPE "m16n8k32.row.col.f32.e4m3.e4m3.f32"
constexpr int BITS = 8, SHIFT = 20, REBIAS = 120;
constexpr unsigned RANDOM = 0x87878787, FIXED = 0x38383838, SIGNS = 0x80808080;  // 1 to 2, either sign
#endif

constexpr int THREADS = 128, ROUNDS = 511, FRAGMENTS = 4, PER_WORD = 32 / BITS;
constexpr float ALLOWED = 0.5f;  // row sums are about 1.5 sqrt(32 K), 23 and more

__device__ __forceinline__ void multiply_add(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned." SHAPE " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ unsigned mixed(unsigned bits) {  // the finaliser of MurmurHash3
    bits = (bits ^ bits >> 16) * 0x85EBCA6B;
    bits = (bits ^ bits >> 13) * 0xC2B2AE35;
    return bits ^ bits >> 16;
}

__device__ unsigned operand(float own, unsigned index) {
    return mixed(__float_as_uint(own) ^ (index * THREADS + threadIdx.x) * 0x9E3779B9u) & RANDOM | FIXED;
}

__device__ float element(unsigned word, int position) {
    const unsigned bits = word >> position * BITS;
    const unsigned magnitude = bits & 0x7FFFFFFFu >> (32 - BITS), sign = bits >> (BITS - 1) & 1;
    return __uint_as_float((magnitude << SHIFT) + (unsigned(REBIAS) << 23) | sign << 31);
}

// Over lanes that differ in the bits FIRST to LAST of their number.
template <int FIRST, int LAST>
__device__ float sum_of_lanes(float value) {
#pragma unroll
    for (int bit = FIRST; bit <= LAST; bit *= 2) value += __shfl_xor_sync(~0u, value, bit);
    return value;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    tensor_mma(const float* x, const float* y, float* z, int n) {
    const size_t at = size_t(blockIdx.x) * THREADS + threadIdx.x;
    const float own = at < n ? x[at] : 0.0f;
    unsigned a[FRAGMENTS][4], b[FRAGMENTS][2];
#pragma unroll
    for (int i = 0; i < FRAGMENTS; ++i) {
#pragma unroll
        for (int r = 0; r < 4; ++r) a[i][r] = operand(own, 6 * i + r);
#pragma unroll
        for (int r = 0; r < 2; ++r) b[i][r] = operand(own, 6 * i + 4 + r);
    }
    // With group = lane / 4: registers 0 and 2 of A hold row group, 1 and 3 the row 8 below; register 0 of B
    // meets 0 and 1 of A in k, register 1 the others. Both hold k of the same lane % 4.
    float expected[FRAGMENTS][2] = {};
#pragma unroll
    for (int r = 0; r < 2; ++r)
#pragma unroll
        for (int position = 0; position < PER_WORD; ++position) {
            float sum = 0.0f;
#pragma unroll
            for (int j = 0; j < FRAGMENTS; ++j) sum += element(b[j][r], position);
            sum = sum_of_lanes<4, 16>(sum);
#pragma unroll
            for (int i = 0; i < FRAGMENTS; ++i)
#pragma unroll
                for (int half = 0; half < 2; ++half)
                    expected[i][half] += element(a[i][2 * r + half], position) * sum;
        }

    float c[FRAGMENTS][FRAGMENTS][4] = {};
#pragma unroll 1
    for (int round = 0; round < ROUNDS; ++round) {
#pragma unroll
        for (int i = 0; i < FRAGMENTS; ++i)
#pragma unroll
            for (int j = 0; j < FRAGMENTS; ++j) multiply_add(c[i][j], a[i], b[j]);
#pragma unroll
        for (int j = 0; j < FRAGMENTS; ++j) b[j][0] ^= SIGNS, b[j][1] ^= SIGNS;
    }

    bool right = true;
#pragma unroll
    for (int i = 0; i < FRAGMENTS; ++i)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float found = 0.0f;
#pragma unroll
            for (int j = 0; j < FRAGMENTS; ++j) found += c[i][j][2 * half] + c[i][j][2 * half + 1];
            right &= fabsf(sum_of_lanes<1, 2>(found - expected[i][half])) < ALLOWED;
        }
    const bool all_right = __all_sync(~0u, right);
    if (at < n) z[at] = all_right ? own : __uint_as_float(0x7FFFFFFF);
}
