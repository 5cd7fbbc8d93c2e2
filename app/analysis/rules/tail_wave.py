"""The last wave of blocks fills only part of the device."""

from __future__ import annotations

from math import ceil

from app.analysis.gain import more_of
from app.analysis.rule import Judgement, Rule, clear, found, not_applicable, seen
from app.analysis.waves import multiprocessors, waves
from app.domain.finding import GainScope, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence

# A kernel whose blocks take equally long costs whole waves. A twentieth is five times what a time repeats to.
LEAST_LOSS = 0.05


def _judge(evidence: KernelEvidence) -> Judgement:
    taken, blocks, count = waves(evidence), evidence.blocks, multiprocessors(evidence)
    if blocks is None or blocks < count:
        return not_applicable("There are fewer blocks than multiprocessors, or their number is not known.")
    # Within a single wave blocks share multiprocessors: what counts is how many the fullest of them has.
    filled = taken if taken >= 1 else blocks / count
    loss = 1 - filled / ceil(filled)
    shown = seen(evidence, Counter.WAVES_PER_MULTIPROCESSOR, Counter.GRID_BLOCKS, Counter.MULTIPROCESSORS)
    if loss < LEAST_LOSS:
        return clear(f"{filled:.2f} waves leave {loss:.1%} of the device's time unused.", shown)
    return found(
        f"{filled:.2f} waves cost {ceil(filled)}: {loss:.0%} of the device's time goes to the partial one.",
        shown,
        more_of(evidence, ceil(filled) / filled, GainScope.KERNEL, "whole waves over waves", by_issue=False),
    )


RULE = Rule(
    "tail_wave",
    "Partial last wave",
    "Choose tiles that fill whole waves, let persistent blocks share them, or cut the last ones along K.",
    _judge,
    StageLink("matmul", "hopper_streamk"),
)
