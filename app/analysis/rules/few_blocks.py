"""Too few blocks: multiprocessors without work, or with fewer warps than they could hold."""

from __future__ import annotations

from app.analysis.gain import more_of
from app.analysis.rule import Judgement, Rule, clear, found, not_applicable, seen
from app.analysis.waves import multiprocessors
from app.domain.finding import GainScope, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence

LEAST_GAIN = 1.1  # a partial wave matters where more warps would speed things up by a tenth


def _judge(evidence: KernelEvidence) -> Judgement:
    blocks = evidence.blocks
    if blocks is None:
        return not_applicable("The size of the grid is not known.")
    count = multiprocessors(evidence)
    shown = seen(
        evidence,
        Counter.GRID_BLOCKS,
        Counter.MULTIPROCESSORS,
        Counter.WAVES_PER_MULTIPROCESSOR,
        Counter.BUSY_MULTIPROCESSOR_FRACTION,
    )
    if blocks < count:
        # Units are busy by the mean over all multiprocessors, so they bound the device as a whole.
        factor, formula = count / blocks, "multiprocessors over blocks"
        gain = more_of(evidence, factor, GainScope.KERNEL, formula, by_issue=False)
        return found(f"{blocks:,.0f} blocks for {count:.0f} multiprocessors.", shown, gain)
    waves = evidence.counters.get(Counter.WAVES_PER_MULTIPROCESSOR)
    gain = more_of(evidence, 1 / waves if waves else 1.0, GainScope.KERNEL, "a full wave over this one")
    if waves is None or waves >= 1 or gain.speed_up < LEAST_GAIN:
        return clear(f"{blocks:,.0f} blocks for {count:.0f} multiprocessors.", shown)
    return found(f"All blocks together fill {waves:.0%} of the device's places for them.", shown, gain)


RULE = Rule(
    "few_blocks",
    "Too few blocks",
    "Derive the grid from the size of the problem; cut the work smaller, where it must be along K (split-K).",
    _judge,
    StageLink("grid_size", "full_grid"),
)
