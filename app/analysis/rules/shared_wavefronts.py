"""Shared memory is read or written in more wavefronts than the bytes need: bank conflicts."""

from __future__ import annotations

from app.analysis.gain import L1, SM, relief
from app.analysis.rule import Judgement, Rule, clear, found, not_applicable, seen
from app.domain.finding import StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence

# The raw conflict counter holds arbitration, too: 8 % of a transpose without any conflict. So wavefronts over
# the ideal are judged, and a tenth is left for what replays and neighbours add.
LEAST_EXCESS = 0.1
WIDEST = 4  # wavefronts of a whole warp at 16 bytes a lane


def _judge(evidence: KernelEvidence) -> Judgement:
    counters = evidence.counters
    wavefronts = counters.need(Counter.SHARED_WAVEFRONTS)
    requests = [counters.get(each) for each in (Counter.SHARED_LOAD_REQUESTS, Counter.SHARED_STORE_REQUESTS)]
    if wavefronts == 0 or all(request == 0 for request in requests):
        return not_applicable("The kernel does not use shared memory.")
    ideal = counters.get(Counter.SHARED_WAVEFRONTS_IDEAL)
    if ideal is None:
        ideal = _ideal_by_requests(evidence, wavefronts)
    excess = max(1 - ideal / wavefronts, 0.0)
    shown = seen(
        evidence,
        Counter.SHARED_WAVEFRONTS,
        Counter.SHARED_WAVEFRONTS_IDEAL,
        Counter.SHARED_LOAD_REQUESTS,
        Counter.SHARED_STORE_REQUESTS,
        Counter.SHARED_CONFLICTS,
        Counter.SHARED_THROUGHPUT_FRACTION,
    )
    if excess < LEAST_EXCESS:
        return clear(f"{excess:.1%} of the wavefronts are more than the accesses need.", shown)
    busy = counters.get(Counter.SHARED_THROUGHPUT_FRACTION) or counters.get(L1) or 0.0
    return found(
        f"Shared memory takes {wavefronts / ideal:.1f} times the wavefronts that its accesses need: "
        f"{excess:.0%} are bank conflicts.",
        shown,
        relief(evidence, busy, 1 - excess, (L1, SM)),
    )


def _ideal_by_requests(evidence: KernelEvidence, wavefronts: float) -> float:
    """What is surely needed: one wavefront a request, or four where all accesses may be of 16 bytes a lane.

    Raises NotCollectedError in between, where only the width of the accesses decides.
    """
    counters = evidence.counters
    loads = counters.need(Counter.SHARED_LOAD_REQUESTS)
    requests = loads + counters.need(Counter.SHARED_STORE_REQUESTS)
    if wavefronts <= requests * (1 + LEAST_EXCESS):
        return min(requests, wavefronts)
    if wavefronts * (1 - LEAST_EXCESS) > WIDEST * requests:
        return WIDEST * requests
    return counters.need(Counter.SHARED_WAVEFRONTS_IDEAL)


RULE = Rule(
    "shared_wavefronts",
    "Bank conflicts in shared memory",
    "Pad the row by one word, or swizzle columns (column XOR row), so that lanes meet 32 different banks.",
    _judge,
    StageLink("transpose", "tile33"),
)
