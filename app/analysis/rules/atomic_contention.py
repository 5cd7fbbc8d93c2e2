"""Many atomic operations on few words of global memory."""

from __future__ import annotations

from app.analysis.gain import busiest, more_of
from app.analysis.rule import Judgement, Rule, clear, found, not_applicable, seen
from app.domain.finding import GainScope, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence

# An L2 slice adds to one word about once a clock, while every slice serves a sector a clock: with one atomic
# request for eight others the queue at a word is the longer one. Where DRAM or L1 is busy, nobody queues.
LEAST_SHARE = 1 / 8
BUSY = 0.6


def _judge(evidence: KernelEvidence) -> Judgement:
    counters = evidence.counters
    atomics = counters.need(Counter.GLOBAL_REDUCTION_REQUESTS) + counters.need(Counter.GLOBAL_ATOMIC_REQUESTS)
    if not atomics:
        return not_applicable("The kernel has no atomic operations on global memory.")
    others = counters.need(Counter.GLOBAL_LOAD_REQUESTS) + counters.need(Counter.GLOBAL_STORE_REQUESTS)
    shown = seen(
        evidence,
        Counter.GLOBAL_REDUCTION_REQUESTS,
        Counter.GLOBAL_ATOMIC_REQUESTS,
        Counter.GLOBAL_ATOMIC_SECTORS,
        Counter.L2_ATOMIC_REQUESTS,
        Counter.GLOBAL_LOAD_REQUESTS,
    )
    share = atomics / (atomics + others)
    if share < LEAST_SHARE:
        return clear(f"{share:.1%} of the requests to global memory are atomic.", shown)
    if busiest(evidence, (Counter.SM_THROUGHPUT_FRACTION, Counter.L2_THROUGHPUT_FRACTION)) > BUSY:
        return clear("Atomic requests are many, but DRAM or L1 is busy all the same: nobody queues.", shown)
    gain = more_of(evidence, 1 / (1 - share), GainScope.UNIT, "requests over requests that are not atomic")
    return found(
        f"{share:.0%} of the requests to global memory are atomic, and memory is idle beside them.",
        shown,
        gain,
    )


RULE = Rule(
    "atomic_contention",
    "Contention of atomic operations",
    "Count in private copies (a warp's or block's in shared memory) and add the copies up once.",
    _judge,
    StageLink("atomic_contention", "privatised"),
)
