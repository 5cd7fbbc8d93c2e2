"""Chart of the tile sweep: FLOP rate of each tile against the roof of its own traffic."""

from __future__ import annotations

from app.analysis.occupancy import Occupancy, occupancy, sm_limits
from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.experiment import Experiment, Unit, median_time
from app.kernels.stage import Stage


def theoretical_occupancy(cell: MeasuredCell, compute_capability: tuple[int, int]) -> Occupancy | None:
    """Blocks an SM from the compiler's report of a measured stage; None where a fact is missing."""
    found, limits = cell.measurement, sm_limits(compute_capability)
    if limits is None or found.compiler is None or found.recipe.block is None:
        return None
    x, y, z = found.recipe.block
    shared = found.compiler.static_shared_bytes + found.recipe.dynamic_shared_bytes
    return occupancy(limits, x * y * z, found.compiler.registers, shared)


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
)
