"""The matrix-vector products."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.kernels.experiment import Experiment, Unit, useful_bandwidth
from app.kernels.stage import Stage


def _theory(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """Every weight is read once: the measured read roof."""
    return evidence.roof("dram_read")


EXPERIMENTS = (
    Experiment(
        name="gemv",
        title="Decode GEMV 1×4096×16384",
        question="How near to the read roof does a matrix-vector product come?",
        lesson="Half a FLOP a byte: arithmetic never limits it. What counts is bytes under way, by Little's "
        "law bandwidth times latency. Wide loads, several of them before the first is used, reach the "
        "roof with few warps; narrow ones need four times as many.",
        problem="gemv",
        axis=None,
        axis_title="Version",
        value_title="Bytes read",
        unit=Unit.BYTES_PER_S,
        value=useful_bandwidth,
        theory=_theory,
        theory_title="measured read roof",
        source="L22 §7.6",
        order=80,
    ),
)
