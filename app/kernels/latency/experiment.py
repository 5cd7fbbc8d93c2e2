"""Chart of latency over the working set, with the steps of the lecture's table."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype
from app.kernels.experiment import Experiment, Unit
from app.kernels.latency.chain import KIB, at_boost_clock
from app.kernels.latency.problem import CHAIN
from app.kernels.stage import Stage

# Middle of the range that L22 gives for each level of an A100, in cycles.
L1_CYCLES, L2_CYCLES, DRAM_CYCLES = 35, 190, 450


def steps_of_the_lecture(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """The lecture's cycles for the level that holds the set, at boost clock; L1 taken as large as shared."""
    l1, l2 = evidence.device.shared_bytes_per_multiprocessor, evidence.device.l2_bytes
    if l1 is None or l2 is None:
        return None
    set_bytes = size["kib"] * KIB
    cycles = L1_CYCLES if set_bytes <= l1 else L2_CYCLES if set_bytes <= l2 else DRAM_CYCLES
    return at_boost_clock(cycles, evidence)


EXPERIMENTS = (
    Experiment(
        name="latency",
        title="Latency by working set",
        question="How long does a load take, by the size of what is visited?",
        lesson="The steps are the levels: L1 up to its capacity, then L2, then DRAM. Between two steps part "
        "of the set still hits. Latency times bandwidth is what must be in flight to keep a level "
        "busy (Little's law), so the height of the last step says how many loads a copy needs.",
        problem="latency",
        axis="kib",
        axis_title="Working set",
        value_title="Latency of one load",
        unit=Unit.SECONDS,
        value=CHAIN.latency,
        theory=steps_of_the_lecture,
        theory_title="Lecture's cycles for an A100 at this clock",
        source="L22 §7.7",
        cache=CacheState.WARM,
        dtype=Dtype.INT32,
        logarithmic=True,
        order=10,
    ),
)
