"""Warps that could issue and are not chosen: no stall to cure, but a sign that there are warps to spare."""

from __future__ import annotations

from app.analysis.gain import stall_share
from app.analysis.rule import Judgement, Rule, clear, found, seen
from app.domain.finding import Severity, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence

# One warp in three that wait is ready: a third of the warps less would leave the scheduler as busy as it is.
MANY = 1 / 3


def _judge(evidence: KernelEvidence) -> Judgement:
    share = stall_share(evidence, Counter.STALL_NOT_SELECTED)
    shown = seen(
        evidence,
        Counter.STALL_NOT_SELECTED,
        Counter.ELIGIBLE_WARPS_PER_SCHEDULER,
        Counter.ISSUE_ACTIVE_FRACTION,
    )
    if share < MANY:
        return clear(f"{share:.1%} of a warp's time it is ready and another is chosen.", shown)
    return found(
        f"{share:.0%} of a warp's time it is ready and another is chosen: there are more warps than needed.",
        shown,
        severity=Severity.INFORMATION,
    )


RULE = Rule(
    "stall_not_selected",
    "Ready warps to spare",
    "Nothing to cure. Fewer warps with more registers each (a larger register tile) may do as well.",
    _judge,
    StageLink("matmul", "register_tile"),
)
