"""The two walks."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.experiment import Experiment, Unit, useful_bandwidth
from app.kernels.movement import slowest_level_bandwidth
from app.kernels.stage import Stage


def _theory(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """Down a column L2 moves a sector a lane; DRAM moves each once, if L2 keeps it for the next column."""
    return slowest_level_bandwidth(stage.cost(size, Dtype.FLOAT32), evidence)


EXPERIMENTS = (
    Experiment(
        name="walk",
        title="Row walk against column walk",
        question="What does it cost to walk down the columns of a row-major matrix?",
        lesson="Down a column every lane touches a sector of its own: eight times the traffic by sectors. "
        "Caches give part of it back when the next columns follow soon. Lanes belong along the innermost "
        "dimension.",
        problem="matrix_walk",
        axis=None,
        axis_title="Walk",
        value_title="Useful bytes",
        unit=Unit.BYTES_PER_S,
        value=useful_bandwidth,
        theory=_theory,
        theory_title="bytes of each level at its roof",
        source="L22 §7.1",
        order=40,
    ),
)
