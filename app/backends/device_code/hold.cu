// Holds the stream until the host has queued everything behind it, so that no launch gap lies inside a
// timed window. Ends by itself after timeout_ns and says so: a held stream must never hang for ever.
extern "C" __global__ void hold(volatile int* released, volatile int* timed_out, int ticket,
                                unsigned long long timeout_ns) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    while (*released != ticket) {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
        if (now - start > timeout_ns) {
            *timed_out = ticket;
            __threadfence_system();
            return;
        }
    }
}
