// The bulk copy engine moves 16 KB pieces global -> shared -> global; one thread a block drives a ring of
// four buffers. No register and no load instruction touches the data. Blocks take pieces in turn.
constexpr int PIECE_BYTES = 16384, BUFFERS = 4;

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void load(void* to, const char* from, unsigned bytes, unsigned barrier) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
}

__device__ void wait(unsigned barrier, unsigned parity) {
    unsigned done = 0;
    while (!done)
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
            : "=r"(done)
            : "r"(barrier), "r"(parity)
            : "memory");
}

__device__ void store(char* to, const void* from, unsigned bytes) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)),
                 "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

extern "C" __global__ void __launch_bounds__(32) bulk(const float* x, float* y, int n) {
    extern __shared__ __align__(128) char buffers[];
    __shared__ __align__(8) unsigned long long barriers[BUFFERS];
    const long long whole = n / 4 * 16LL;  // the engine moves multiples of 16 bytes
    if (blockIdx.x == 0 && threadIdx.x < n % 4) y[n / 4 * 4 + threadIdx.x] = x[n / 4 * 4 + threadIdx.x];
    if (threadIdx.x != 0) return;
    for (int b = 0; b < BUFFERS; ++b)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barriers[b])) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    const long long pieces = (whole + PIECE_BYTES - 1) / PIECE_BYTES;
    const long long mine = pieces > blockIdx.x ? (pieces - blockIdx.x + gridDim.x - 1) / gridDim.x : 0;
    auto offset = [&](long long i) { return (blockIdx.x + i * gridDim.x) * PIECE_BYTES; };
    auto bytes = [&](long long i) {
        const long long left = whole - offset(i);
        return static_cast<unsigned>(left < PIECE_BYTES ? left : PIECE_BYTES);
    };
    auto fetch = [&](long long i) {
        load(buffers + i % BUFFERS * PIECE_BYTES, reinterpret_cast<const char*>(x) + offset(i), bytes(i),
             shared_address(&barriers[i % BUFFERS]));
    };
    for (long long i = 0; i < BUFFERS && i < mine; ++i) fetch(i);
    for (long long i = 0; i < mine; ++i) {
        wait(shared_address(&barriers[i % BUFFERS]), i / BUFFERS & 1);
        store(reinterpret_cast<char*>(y) + offset(i), buffers + i % BUFFERS * PIECE_BYTES, bytes(i));
        // All stores but this one have read their buffers: the one before this can be filled again.
        asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        if (i >= 1 && i - 1 + BUFFERS < mine) fetch(i - 1 + BUFFERS);
    }
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
