"""Chart of the tile sweep: FLOP rate of each tile against the roof of its own traffic."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.experiment import Experiment, Unit, median_time
from app.kernels.residency import occupancy_by_threads, theoretical_occupancy
from app.kernels.stage import Stage


def time_of_shared_reads(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """Time to read the operands from shared memory at its measured roof; nothing for the stage without."""
    roof = evidence.roof("shared_read")
    moved = stage.cost(size, Dtype.FLOAT32).bytes_by_level.get(Level.SHARED)
    return moved / roof if roof and moved else None


EXPERIMENTS = (
    Experiment(
        name="padded_tile",
        title="Tile sweep",
        question="Which tile is best, and does its padding matter?",
        lesson="A tile of edge T divides the loads from global memory by T, but shared memory is still asked "
        "for two words a multiply-add, whatever the tile: that is why larger tiles soon stop paying. "
        "Padding changes nothing here, since the rows of A are read by broadcast and those of B side "
        "by side; it matters where a warp walks down a column.",
        problem="padded_tile",
        axis=None,
        axis_title="Tile",
        value_title="Time",
        unit=Unit.SECONDS,
        value=median_time,
        theory=time_of_shared_reads,
        theory_title="Operands read from shared memory at its roof",
        source="L2.3 lab",
        order=70,
    ),
    Experiment(
        name="padded_tile_occupancy",
        title="Occupancy of the tiles",
        question="Does a larger tile leave room for fewer warps?",
        lesson="Registers, shared memory and the threads of a block each limit how many blocks an SM holds. "
        "None of these tiles needs much of either, so the largest loses warps only where whole blocks "
        "of 1024 threads do not divide what an SM holds.",
        problem="padded_tile",
        axis=None,
        axis_title="Tile",
        value_title="Theoretical occupancy",
        unit=Unit.RATIO,
        value=theoretical_occupancy,
        theory=occupancy_by_threads,
        theory_title="By the threads of a block alone",
        source="L2.3 lab",
        order=71,
    ),
)
