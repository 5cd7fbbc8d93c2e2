"""Chart of constant-memory latency over the working set."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype
from app.kernels.constant_latency.problem import CHAIN
from app.kernels.experiment import Experiment, Unit
from app.kernels.latency.chain import at_boost_clock
from app.kernels.stage import Stage

HIT_CYCLES, CACHED_KIB = 1, 8  # L22 for an A100: about one cycle on a broadcast hit, 8 KB cached


def cycles_of_the_lecture(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """The lecture's hit at boost clock while the set is cached; it says nothing of a miss."""
    return at_boost_clock(HIT_CYCLES, evidence) if size["kib"] <= CACHED_KIB else None


EXPERIMENTS = (
    Experiment(
        name="constant_latency",
        title="Latency of constant memory",
        question="How long does a load from constant memory take when all lanes read one word?",
        lesson="A constant costs nothing extra when its address is fixed, since instructions take it as an "
        "operand. Here each address depends on the last load, and then a hit takes as long as other "
        "small caches do; the steps show how much the nearest constant caches hold.",
        problem="constant_latency",
        axis="kib",
        axis_title="Working set",
        value_title="Latency of one load",
        unit=Unit.SECONDS,
        value=CHAIN.latency,
        theory=cycles_of_the_lecture,
        theory_title="Lecture's cycle of a broadcast hit at this clock",
        source="L22 §7.7",
        cache=CacheState.WARM,
        dtype=Dtype.INT32,
        logarithmic=True,
        order=12,
    ),
)
