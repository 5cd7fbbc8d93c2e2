"""Chart of read bandwidth over the working set, beside the roof of the level that holds it."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, Level
from app.kernels.experiment import Experiment, Unit
from app.kernels.read_bandwidth.problem import KIB, READ_BYTES
from app.kernels.stage import Stage


def read_rate(cell: MeasuredCell) -> float | None:
    """Bytes asked for, 4 GiB a launch, over the median time."""
    return READ_BYTES / cell.measurement.median_s


def roof_of_the_level(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """The measured roof of the nearest level that holds the set; L1 delivers what shared memory does.

    The L1 caches are taken to hold together what the SMs have of shared memory, which is the same memory.
    """
    device, set_bytes = evidence.device, size["kib"] * KIB
    asked = stage.cost(size, Dtype.INT32).bytes_by_level
    if Level.SHARED in asked:
        return evidence.roof("shared_read")
    near = (device.multiprocessor_count or 0) * (device.shared_bytes_per_multiprocessor or 0)
    if Level.L1 in asked and set_bytes <= near:
        return evidence.roof("shared_read")
    return evidence.roof("l2_read" if set_bytes <= (device.l2_bytes or 0) else "dram_read")


EXPERIMENTS = (
    Experiment(
        name="read_bandwidth",
        title="Read bandwidth by working set",
        question="How many bytes a second does each level of memory deliver?",
        lesson="Every level down delivers a fraction of the one above: that fraction is what a tile kept one "
        "level higher wins. Sets that fit the L1 caches of all SMs together are read at the rate of "
        "shared memory, which is the same memory; past L1 the L2 cache decides, and beyond it DRAM.",
        problem="read_bandwidth",
        axis="kib",
        axis_title="Working set",
        value_title="Bytes read a second",
        unit=Unit.BYTES_PER_S,
        value=read_rate,
        theory=roof_of_the_level,
        theory_title="Measured roof of the level that holds the set",
        source="L22 §7.7",
        cache=CacheState.WARM,
        dtype=Dtype.INT32,
        logarithmic=True,
        order=20,
    ),
)
