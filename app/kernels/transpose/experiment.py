"""The transposes."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.experiment import Experiment, Unit, useful_bandwidth
from app.kernels.stage import Stage


def _theory(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """Both sides coalesced and no conflict: a copy. A strided side moves a sector a lane."""
    roof = evidence.roof("dram_copy")
    cost = stage.cost(size, Dtype.FLOAT32)
    return cost.least_dram_bytes * roof / cost.bytes_by_level[Level.L2] if roof else None


EXPERIMENTS = (
    Experiment(
        name="transpose",
        title="Transpose of 8192²",
        question="How can both sides of a transpose be fast?",
        lesson="One side of a transpose is strided whatever the order of the loops. A tile in shared memory "
        "turns the matrix on chip, so that both sides of DRAM see whole sectors; its columns must then be "
        "spread over the banks, by a word of padding or by XOR. Without conflicts a transpose costs a copy.",
        problem="transpose",
        axis=None,
        axis_title="Version",
        value_title="Bytes read and written",
        unit=Unit.BYTES_PER_S,
        value=useful_bandwidth,
        theory=_theory,
        theory_title="sectors at the copy roof, no conflict",
        source="L22 §7.3",
        sizes=(Size.of(rows=8192, columns=8192),),
        order=70,
    ),
)
