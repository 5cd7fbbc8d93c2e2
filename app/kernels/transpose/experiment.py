"""The transposes."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.experiment import Experiment, Unit, useful_bandwidth
from app.kernels.movement import slowest_level_bandwidth
from app.kernels.stage import Stage


def _theory(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """A strided side costs L2 a sector a lane, a conflict costs shared memory a wavefront a lane."""
    return slowest_level_bandwidth(stage.cost(size, Dtype.FLOAT32), evidence)


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
        theory_title="bytes of each level at its roof",
        source="L22 §7.3",
        sizes=(Size.of(rows=8192, columns=8192),),
        order=70,
    ),
)
