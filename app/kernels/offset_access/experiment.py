"""The offset sweep."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, Level
from app.kernels.experiment import Experiment, Unit, useful_bandwidth
from app.kernels.stage import Stage


def _theory(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """The lectures' reading: a fifth sector costs a fifth more, seen from offset 0 as measured."""
    aligned = evidence.sound("offset_access", stage.name, Size.of(n=size["n"], offset=0), CacheState.COLD)
    if aligned is None:
        return None
    cost = stage.cost(size, Dtype.FLOAT32)
    return aligned.measurement.bytes_per_s * cost.least_dram_bytes / cost.bytes_by_level[Level.L1]


EXPERIMENTS = (
    Experiment(
        name="offset",
        title="Offset sweep",
        question="What does a slice cost that begins one word too late?",
        lesson="A shifted warp touches five sectors instead of four. The fifth is also its neighbour's "
        "first, so the cache serves it: requests grow by a quarter on the read side, DRAM traffic does not. "
        "Shifted slices hurt where vector loads become impossible, not by the sector.",
        problem="offset_access",
        axis="offset",
        axis_title="Offset in words",
        value_title="Bytes read and written",
        unit=Unit.BYTES_PER_S,
        value=useful_bandwidth,
        theory=_theory,
        theory_title="if every sector cost DRAM time",
        source="L22 §7.1",
        order=30,
    ),
)
