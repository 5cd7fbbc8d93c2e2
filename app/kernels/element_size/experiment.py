"""Bytes a thread."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.kernels.experiment import Experiment, Unit, useful_bandwidth
from app.kernels.stage import Stage


def _theory(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """No copy can pass the measured copy roof."""
    return evidence.roof("dram_copy")


EXPERIMENTS = (
    Experiment(
        name="element_size",
        title="Bytes a thread",
        question="How many bytes should one thread load?",
        lesson="With one element a thread, bytes under way grow with the element: one byte a lane fills a "
        "sector a warp, sixteen fill sixteen. Narrow types reach the roof only when each thread takes "
        "several of them in one load.",
        problem="element_size",
        axis=None,
        axis_title="Element",
        value_title="Bytes read and written",
        unit=Unit.BYTES_PER_S,
        value=useful_bandwidth,
        theory=_theory,
        theory_title="measured copy roof",
        source="L22 §7.1",
        order=60,
    ),
)
