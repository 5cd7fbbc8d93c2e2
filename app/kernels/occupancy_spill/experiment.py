"""Chart of time with and without a cap on registers."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.experiment import Experiment, Unit, median_time
from app.kernels.residency import occupancy_by_threads, theoretical_occupancy
from app.kernels.stage import Stage


def roofline_time(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """The longer of moving the useful bytes at the copy roof and of adding and multiplying unfused."""
    memory, compute = evidence.roof("dram_copy"), evidence.roof("fp32_fma")
    if memory is None or compute is None:
        return None
    cost = stage.cost(size, Dtype.FLOAT32)
    return max(cost.least_dram_bytes / memory, cost.flop / (compute / 2))


EXPERIMENTS = (
    Experiment(
        name="occupancy_spill",
        title="Occupancy against spilling",
        question="What does it cost to force more blocks onto an SM?",
        lesson="A cap below what a kernel keeps alive sends values through local memory on every use, and no "
        "number of warps makes up for it: the compiler's report says how many bytes. A kernel that "
        "already fits the cap, as the lecture's own does, compiles to the same thing and gains "
        "nothing.",
        problem="occupancy_spill",
        axis=None,
        axis_title="Stage",
        value_title="Time",
        unit=Unit.SECONDS,
        value=median_time,
        theory=roofline_time,
        theory_title="Useful bytes or unfused arithmetic at the roof, the longer",
        source="L22 §7.5",
        order=50,
    ),
    Experiment(
        name="occupancy_spill_occupancy",
        title="Occupancy of the spilling pair",
        question="How many warps does forcing eight blocks bring?",
        lesson="The cap does what it promises: the SM holds more warps. Compare it with the time of the same "
        "stages: warps that wait for values which one of them spilled are no gain.",
        problem="occupancy_spill",
        axis=None,
        axis_title="Stage",
        value_title="Theoretical occupancy",
        unit=Unit.RATIO,
        value=theoretical_occupancy,
        theory=occupancy_by_threads,
        theory_title="By the threads of a block alone",
        source="L22 §7.5",
        order=51,
    ),
)
