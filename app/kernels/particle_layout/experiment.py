"""The two layouts."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.experiment import Experiment, Unit, useful_bandwidth
from app.kernels.stage import Stage


def _theory(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """The bytes that the layout drags along, moved at the copy roof."""
    roof = evidence.roof("dram_copy")
    cost = stage.cost(size, Dtype.FLOAT32)
    return cost.least_dram_bytes * roof / cost.bytes_by_level[Level.DRAM] if roof else None


EXPERIMENTS = (
    Experiment(
        name="layout",
        title="Array of structures against structure of arrays",
        question="What does an array of structures cost when two of its seven fields are read?",
        lesson="An array of structures moves whole particles for two fields: 28 bytes for 8. A structure of "
        "arrays moves what is read. The more fields a kernel really uses, the less the layout matters.",
        problem="particle_layout",
        axis=None,
        axis_title="Layout",
        value_title="Useful bytes",
        unit=Unit.BYTES_PER_S,
        value=useful_bandwidth,
        theory=_theory,
        theory_title="bytes of the layout at the copy roof",
        source="L22 §7.1",
        order=50,
    ),
)
