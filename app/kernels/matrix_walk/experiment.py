"""The two walks."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.experiment import Experiment, Unit, useful_bandwidth
from app.kernels.stage import Stage


def _theory(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """Sectors that the walk asks for, moved at the copy roof as if no cache kept any of them."""
    roof = evidence.roof("dram_copy")
    cost = stage.cost(size, Dtype.FLOAT32)
    return cost.least_dram_bytes * roof / cost.bytes_by_level[Level.L1] if roof else None


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
        theory_title="sectors moved at the copy roof",
        source="L22 §7.1",
        order=40,
    ),
)
