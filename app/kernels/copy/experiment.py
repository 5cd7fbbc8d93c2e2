"""The chart of the copies."""

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
        name="copy",
        title="Copying 1 GiB",
        question="Does the width of a load decide how fast memory is read?",
        lesson="Bandwidth needs bytes under way. A float a thread keeps too few of them in flight; a float4 "
        "moves four times as much with the same number of loads and threads. The bulk copy engine needs "
        "neither registers nor load instructions, so it shows what instructions cost: little, once loads "
        "are wide.",
        problem="copy",
        axis=None,
        axis_title="Version",
        value_title="Bytes read and written",
        unit=Unit.BYTES_PER_S,
        value=useful_bandwidth,
        theory=_theory,
        theory_title="measured copy roof",
        source="L22 §7.2",
        sizes=(Size.of(n=2**28),),
        order=10,
    ),
)
