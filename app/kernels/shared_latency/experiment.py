"""Chart of shared-memory latency beside the lecture's figure."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype
from app.kernels.experiment import Experiment, Unit
from app.kernels.latency.chain import at_boost_clock
from app.kernels.shared_latency.problem import CHAIN
from app.kernels.stage import Stage

SHARED_CYCLES = 25  # middle of the 20 to 30 that L22 gives for an A100


def cycles_of_the_lecture(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """The lecture's cycles at boost clock."""
    return at_boost_clock(SHARED_CYCLES, evidence)


EXPERIMENTS = (
    Experiment(
        name="shared_latency",
        title="Latency of shared memory",
        question="How long does a load from shared memory take?",
        lesson="Shared memory answers in the same time wherever the word lies, since it is addressed "
        "directly: no tags, no misses. It is close to an L1 hit, so a copy into it pays by choosing "
        "what stays and by its banks, not by a shorter wait.",
        problem="shared_latency",
        axis="kib",
        axis_title="Working set",
        value_title="Latency of one load",
        unit=Unit.SECONDS,
        value=CHAIN.latency,
        theory=cycles_of_the_lecture,
        theory_title="Lecture's 25 cycles at this clock",
        source="L22 §7.7",
        cache=CacheState.WARM,
        dtype=Dtype.INT32,
        logarithmic=True,
        order=11,
    ),
)
