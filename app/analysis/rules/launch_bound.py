"""The kernel is so short that starting it takes as long."""

from __future__ import annotations

from app.analysis.rule import Judgement, Rule, clear, found, seen
from app.domain.finding import ExpectedGain, GainScope, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence
from app.domain.vocabulary import CacheState

LAUNCH_S = 2e-6  # start and drain of an empty kernel between two others; 1 to 3 µs on devices since 7.0
LEAST_SHARE = 0.4  # of the time from launch to launch: kernels of up to 3 µs


def _judge(evidence: KernelEvidence) -> Judgement:
    timed = evidence.timing(CacheState.WARM) or evidence.timing(CacheState.COLD)
    duration = evidence.counters.get(Counter.DURATION_S)
    if duration is None and timed is not None:
        duration = timed.median_s / evidence.launches
    if duration is None:
        duration = evidence.counters.need(Counter.DURATION_S)
    shown = seen(evidence, Counter.DURATION_S, Counter.GRID_BLOCKS)
    share = LAUNCH_S / (duration + LAUNCH_S)
    if share < LEAST_SHARE:
        return clear(f"Starting takes {share:.1%} of the time from launch to launch.", shown)
    gain = ExpectedGain(1 / (1 - share), GainScope.KERNEL, "(duration + 2 µs a launch) / duration")
    return found(
        f"The kernel runs for {duration * 1e6:.1f} µs; starting one takes about {LAUNCH_S * 1e6:.0f} µs.",
        shown,
        gain,
    )


RULE = Rule(
    "launch_bound",
    "Bound by launches",
    "Do more in one launch, fuse the steps, or replay them as a CUDA graph.",
    _judge,
    StageLink("launch_overhead", "one_launch"),
)
