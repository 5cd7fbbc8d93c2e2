"""Lanes of a warp take different branches, one after the other."""

from __future__ import annotations

from app.analysis.gain import more_of
from app.analysis.rule import Judgement, Rule, clear, found, seen
from app.domain.finding import GainScope, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence

WARP = 32
# 29 of 32 lanes: with all of them the same work takes a tenth fewer instructions.
LEAST_LANES = WARP / 1.1


def _judge(evidence: KernelEvidence) -> Judgement:
    lanes = evidence.counters.need(Counter.THREADS_PER_INSTRUCTION)
    shown = seen(
        evidence,
        Counter.THREADS_PER_INSTRUCTION,
        Counter.DIVERGENT_BRANCHES,
        Counter.UNIFORM_BRANCH_FRACTION,
    )
    if lanes >= LEAST_LANES:
        return clear(f"{lanes:.1f} of 32 lanes are active in an instruction.", shown)
    threads = evidence.block_threads
    of_block = ""
    if threads is not None and threads % WARP:
        of_block = f" A block has {threads:.0f} threads, so its last warp is never full."
    # Fewer instructions for the same work: issue slots are freed, so they do not bound the gain.
    gain = more_of(evidence, WARP / lanes, GainScope.KERNEL, "32 lanes over active lanes", by_issue=False)
    return found(f"{lanes:.1f} of 32 lanes are active in an instruction.{of_block}", shown, gain)


RULE = Rule(
    "divergence",
    "Divergent branches",
    "Give all lanes of a warp the same branch: regroup the elements by what is to be done with them.",
    _judge,
    StageLink("branch_divergence", "uniform"),
)
