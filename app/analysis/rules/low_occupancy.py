"""Too few warps an SM to hide latency, and what limits them."""

from __future__ import annotations

from app.analysis.gain import more_of
from app.analysis.rule import Judgement, Rule, clear, found, seen
from app.domain.finding import GainScope, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence

# From half of the warps on, twice as many is the most that occupancy can give; the schedulers' slots and the
# busiest unit bound it further. Under a tenth it is not worth a change.
FEW = 0.5
LEAST_GAIN = 1.1
LIMITERS = {
    Counter.BLOCKS_BY_REGISTERS: "registers",
    Counter.BLOCKS_BY_SHARED_MEMORY: "shared memory",
    Counter.BLOCKS_BY_WARPS: "warps",
    Counter.BLOCKS_BY_BLOCKS: "blocks",
    Counter.BLOCKS_BY_BARRIERS: "barriers",
}


def limiters(evidence: KernelEvidence) -> tuple[str, ...]:
    """What lets the fewest blocks onto an SM; several where they agree, none where nothing was collected."""
    limits = {name: evidence.counters.get(counter) for counter, name in LIMITERS.items()}
    known = {name: limit for name, limit in limits.items() if limit is not None}
    fewest = min(known.values(), default=None)
    return tuple(name for name, limit in known.items() if limit == fewest)


def _judge(evidence: KernelEvidence) -> Judgement:
    counters = evidence.counters
    theoretical = counters.need(Counter.THEORETICAL_OCCUPANCY_FRACTION)
    achieved = counters.get(Counter.ACHIEVED_OCCUPANCY_FRACTION) or theoretical
    shown = seen(
        evidence,
        Counter.THEORETICAL_OCCUPANCY_FRACTION,
        Counter.ACHIEVED_OCCUPANCY_FRACTION,
        Counter.ISSUE_ACTIVE_FRACTION,
        *LIMITERS,
    )
    waves = counters.get(Counter.WAVES_PER_MULTIPROCESSOR)
    if waves is not None and waves < 1:
        return clear("The number of blocks limits the warps of an SM, not what a block needs.", shown)
    if theoretical > FEW:
        return clear(f"Up to {theoretical:.0%} of an SM's warps are resident.", shown)
    gain = more_of(evidence, 1 / achieved, GainScope.KERNEL, "all warps over the achieved ones")
    limited = " and ".join(limiters(evidence)) or "what was not collected"
    if gain.speed_up < LEAST_GAIN:
        return clear(
            f"{achieved:.0%} of an SM's warps, limited by {limited}, suffice: a unit or the slots are full.",
            shown,
        )
    return found(
        f"{achieved:.0%} of an SM's warps are active, at most {theoretical:.0%} fit: {limited} limit them.",
        shown,
        gain,
    )


RULE = Rule(
    "low_occupancy",
    "Few warps an SM",
    "Reduce what limits the blocks of an SM (registers, shared memory, block size), or give each warp more "
    "independent work.",
    _judge,
    StageLink("occupancy", "full"),
)
