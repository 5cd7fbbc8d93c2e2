"""What a cure may bring at most: time that the excess work keeps a unit busy, bounded by all other units.

A unit that is busy for a fraction U of a kernel's time, of whose work a fraction r remains, saves at most
U·(1 − r) of that time. Nothing runs faster than its next busiest unit: 1 / U of that one is the other bound.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.domain.finding import ExpectedGain, GainScope
from app.domain.kernel_evidence import STALLS, Counter, KernelEvidence

BANDWIDTH_ROOFS = ("dram_copy", "dram_read")
SM, L1 = Counter.SM_THROUGHPUT_FRACTION, Counter.L1_THROUGHPUT_FRACTION
L2, DRAM = Counter.L2_THROUGHPUT_FRACTION, Counter.DRAM_THROUGHPUT_FRACTION
UNITS = (SM, L1, L2, DRAM)
NO_STALLS = (Counter.STALL_SELECTED, Counter.STALL_NOT_SELECTED)
LEAST_BUSY = 1e-3  # a unit that does nothing bounds nothing: a speed-up of 1000 is no statement


def dram_fraction(evidence: KernelEvidence) -> float | None:
    """DRAM bytes a second over the measured copy roof, else over the peak that the tool knows; 0 to 1."""
    rate = evidence.counters.get(Counter.DRAM_BYTES_PER_S)
    roof = next((evidence.roofs[name].value for name in BANDWIDTH_ROOFS if name in evidence.roofs), None)
    if rate is not None and roof:
        return min(rate / roof, 1.0)
    return evidence.counters.get(DRAM)


def busiest(evidence: KernelEvidence, without: Iterable[Counter] = ()) -> float:
    """Fraction of time of the busiest unit but those left out; 0 where nothing is known."""
    left_out = frozenset(without)
    fractions = [
        dram_fraction(evidence) if unit is DRAM else evidence.counters.get(unit)
        for unit in UNITS
        if unit not in left_out
    ]
    return max((fraction for fraction in fractions if fraction is not None), default=0.0)


def relief(
    evidence: KernelEvidence, busy_fraction: float, remaining: float, relieved: tuple[Counter, ...]
) -> ExpectedGain:
    """Gain where `remaining` (0 to 1) of a unit's work is left; relieved: units whose load falls with it."""
    saved = min(busy_fraction * (1 - remaining), 1 - LEAST_BUSY)
    speed_up = min(1 / (1 - saved), 1 / max(busiest(evidence, relieved), LEAST_BUSY))
    formula = "1 / (1 − busy fraction × share of excess work), at most 1 / busy fraction of the next unit"
    return ExpectedGain(max(speed_up, 1.0), GainScope.KERNEL, formula)


def without_stall(evidence: KernelEvidence, stall: Counter, relieved: tuple[Counter, ...]) -> ExpectedGain:
    """Gain where warps never wait for this reason: bounded by free issue slots and by other units.

    Raises NotCollectedError without the stall, the stalls it is a share of, or issue activity.
    """
    share = stall_share(evidence, stall)
    issue = max(evidence.counters.need(Counter.ISSUE_ACTIVE_FRACTION), LEAST_BUSY)
    bound = 1 / max(issue, busiest(evidence, relieved), LEAST_BUSY)
    speed_up = max(min(1 / max(1 - share, LEAST_BUSY), bound), 1.0)
    formula = "1 / (1 − share of a warp's time), at most 1 / issue slots used and 1 / busy fraction of units"
    return ExpectedGain(speed_up, GainScope.UNIT, formula)


def stall_share(evidence: KernelEvidence, stall: Counter) -> float:
    """Fraction of the time between two issues of a warp that it spends in this state; 0 to 1.

    Raises NotCollectedError where that stall, or what it is a share of, was not collected.
    """
    counters = evidence.counters
    of_this = counters.need(stall)
    known = [value for state in STALLS if (value := counters.get(state)) is not None]
    total = sum(known)
    if len(known) < len(STALLS) / 2:  # too few states for their sum to be a warp's time
        issue = max(counters.need(Counter.ISSUE_ACTIVE_FRACTION), LEAST_BUSY)
        total = max(total, counters.need(Counter.ACTIVE_WARPS_PER_SCHEDULER) / issue)
    return of_this / total if total else 0.0


def more_of(
    evidence: KernelEvidence, factor: float, scope: GainScope, formula: str, by_issue: bool = True
) -> ExpectedGain:
    """Gain where something rises by `factor` (warps, blocks, lanes), bounded by every unit.

    by_issue: bounded by the issue slots of the multiprocessors at work, too; not where idle ones join them.
    """
    issue = evidence.counters.get(Counter.ISSUE_ACTIVE_FRACTION) or 0.0
    bound = 1 / max(busiest(evidence), issue if by_issue else 0.0, LEAST_BUSY)
    return ExpectedGain(max(min(factor, bound), 1.0), scope, f"{formula}, at most 1 / busiest unit")
