"""Chart of useful bandwidth over the block size."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.kernels.experiment import Experiment, Unit, useful_bandwidth
from app.kernels.residency import occupancy_by_threads
from app.kernels.stage import Stage


def roof_by_occupancy(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """The copy roof times occupancy by threads: what would hold if bandwidth followed occupancy."""
    roof, fraction = evidence.roof("dram_copy"), occupancy_by_threads(stage, size, evidence)
    return roof * fraction if roof is not None and fraction is not None else None


EXPERIMENTS = (
    Experiment(
        name="block_size",
        title="Block size",
        question="How many threads should a block of a streaming kernel have?",
        lesson="An SM holds a limited number of blocks, so blocks of one or two warps cannot fill it: with "
        "32 blocks an SM, 32 threads a block are half of its warps. From 128 threads on the choice "
        "hardly matters to a kernel that only streams. Blocks of 1024 start and end as one and leave "
        "gaps.",
        problem="block_size",
        axis=None,
        axis_title="Threads a block",
        value_title="Useful bandwidth",
        unit=Unit.BYTES_PER_S,
        value=useful_bandwidth,
        theory=roof_by_occupancy,
        theory_title="Theoretical occupancy × measured copy roof",
        source="L22 §5",
        order=60,
    ),
)
