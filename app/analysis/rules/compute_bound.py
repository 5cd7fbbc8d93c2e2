"""Arithmetic or the issue of instructions is at its roof."""

from __future__ import annotations

from app.analysis.rule import Judgement, Rule, clear, found, seen
from app.domain.ceiling_names import COMPUTE_CEILINGS
from app.domain.finding import Severity, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence

# A scheduler issues one instruction a clock, so nine tenths leave nothing; pipes and peaks of FLOP are not
# reached for hazards and heat, and eight tenths of them are the roof.
OF_SLOTS, OF_PEAK = 0.9, 0.8
LIMITS = {
    Counter.ISSUE_ACTIVE_FRACTION: OF_SLOTS,
    Counter.FMA_PIPE_FRACTION: OF_PEAK,
    Counter.TENSOR_PIPE_FRACTION: OF_PEAK,
    Counter.FP64_PIPE_FRACTION: OF_PEAK,
    Counter.ALU_PIPE_FRACTION: OF_PEAK,
    Counter.XU_PIPE_FRACTION: OF_PEAK,
}
WORDS = {
    Counter.ISSUE_ACTIVE_FRACTION: "issue slots",
    Counter.FMA_PIPE_FRACTION: "cycles of the FMA pipe",
    Counter.TENSOR_PIPE_FRACTION: "cycles of the tensor pipe",
    Counter.FP64_PIPE_FRACTION: "cycles of the FP64 pipe",
    Counter.ALU_PIPE_FRACTION: "cycles of the integer pipe",
    Counter.XU_PIPE_FRACTION: "cycles of the special-function pipe",
}


def flop_fraction(evidence: KernelEvidence) -> float | None:
    """FLOP a second over the measured roof of the kernel's arithmetic, else over the FP32 peak; 0 to 1."""
    counters = evidence.counters
    duration = counters.get(Counter.DURATION_S)
    tensor = counters.get(Counter.TENSOR_FLOP) or 0.0
    flop = tensor or counters.get(Counter.FP32_FLOP)
    if not duration or flop is None:
        return None
    names = COMPUTE_CEILINGS.get(evidence.arithmetic, ()) if evidence.arithmetic else ()
    roof = next((evidence.roofs[name].value for name in names if name in evidence.roofs), None)
    if roof is None and not tensor:
        roof = counters.get(Counter.FP32_PEAK_FLOP_PER_S)
    return flop / duration / roof if roof else None


def _judge(evidence: KernelEvidence) -> Judgement:
    known = {counter: evidence.counters.get(counter) for counter in LIMITS}
    flop = flop_fraction(evidence)
    shown = seen(evidence, *LIMITS, Counter.FP32_FLOP, Counter.TENSOR_FLOP, Counter.DURATION_S)
    if flop is None and all(value is None for value in known.values()):
        evidence.counters.need(Counter.ISSUE_ACTIVE_FRACTION)
    full = [(value, WORDS[c]) for c, value in known.items() if value is not None and value >= LIMITS[c]]
    if flop is not None and flop >= OF_PEAK:
        full.append((flop, "the FLOP/s of the roof"))
    if not full:
        return clear("Neither issue slots nor an arithmetic pipe are full.", shown)
    fraction, of = max(full)
    return found(
        f"{fraction:.0%} of {of} are used: the kernel is bound by arithmetic.",
        shown,
        severity=Severity.INFORMATION,
    )


RULE = Rule(
    "compute_bound",
    "Bound by arithmetic, at its roof",
    "Only fewer or wider instructions help: fused multiply-adds, packed halves, the tensor pipe.",
    _judge,
    StageLink("tensor_pipe", "mma_pipe"),
)
