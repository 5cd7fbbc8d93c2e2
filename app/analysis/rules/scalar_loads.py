"""Elementwise work that loads 4 bytes a lane where 16 would do."""

from __future__ import annotations

from app.analysis.gain import dram_fraction, more_of
from app.analysis.rule import Judgement, Rule, clear, found, not_applicable, seen
from app.analysis.sectors import LOADS, ROUNDING, sector_use
from app.domain.finding import GainScope, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence

SCALAR_SECTORS, VECTOR_OVER_SCALAR = 4, 4
LEAST_GAIN = 1.1


def _judge(evidence: KernelEvidence) -> Judgement:
    counters = evidence.counters
    use = sector_use(evidence, LOADS)
    if use is None:
        return not_applicable("The kernel has no global loads.")
    if counters.get(Counter.SHARED_LOAD_REQUESTS) or counters.get(Counter.ASYNC_COPY_INSTRUCTIONS):
        return not_applicable("The kernel works from shared memory; the rule is about elementwise work.")
    shown = seen(
        evidence,
        Counter.GLOBAL_LOAD_SECTORS_PER_REQUEST,
        Counter.GLOBAL_LOAD_BYTES_PER_SECTOR,
        Counter.GLOBAL_LOAD_REQUESTS,
        Counter.DRAM_THROUGHPUT_FRACTION,
    )
    if abs(use.per_request - SCALAR_SECTORS) > ROUNDING * SCALAR_SECTORS or (use.remaining < 1 - ROUNDING):
        return clear(f"{use.per_request:.1f} sectors a request: not a whole warp's 4-byte loads.", shown)
    # Little's law: a request of 16 bytes a lane has four times the bytes in flight; every unit bounds that.
    if dram_fraction(evidence) is None:
        counters.need(Counter.DRAM_THROUGHPUT_FRACTION)
    formula = "bytes a request, 16 over 4 a lane"
    gain = more_of(evidence, VECTOR_OVER_SCALAR, GainScope.KERNEL, formula)
    if gain.speed_up < LEAST_GAIN:
        return clear("Loads are 4 bytes a lane, and memory is busy enough all the same.", shown)
    return found("Each lane loads 4 bytes where the data lies in order: 16 would fit.", shown, gain)


RULE = Rule(
    "scalar_loads",
    "Scalar loads where vectors fit",
    "Load float4 (16 bytes a lane) from pointers aligned to 16 bytes, with a scalar tail.",
    _judge,
    StageLink("copy", "float4"),
)
