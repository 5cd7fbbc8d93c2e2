"""Chart of the same FLOP at 100 % and at 25 % occupancy."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.size import Size
from app.kernels.experiment import Experiment, Unit
from app.kernels.stage import Stage


def flop_rate(cell: MeasuredCell) -> float | None:
    """FLOP of the product over the median time."""
    return cell.measurement.flop_per_s


def multiply_add_roof(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """The measured FP32 roof: the same for both, occupancy does not enter it."""
    return evidence.roof("fp32_fma")


EXPERIMENTS = (
    Experiment(
        name="occupancy_against_work",
        title="Occupancy is not speed",
        question="Is a full SM of small threads faster than a quarter of it with large ones?",
        lesson="Occupancy hides latency by having other warps to run; independent work inside a thread hides "
        "it as well. The thread with 64 sums keeps them in registers and asks shared memory for far "
        "less per FLOP, so it wins with a quarter of the warps.",
        problem="occupancy",
        axis=None,
        axis_title="Stage",
        value_title="FLOP rate",
        unit=Unit.FLOP_PER_S,
        value=flop_rate,
        theory=multiply_add_roof,
        theory_title="Measured FP32 roof",
        source="L22 §7.5",
        order=52,
    ),
)
