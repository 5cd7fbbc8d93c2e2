"""The chart of the copies."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.experiment import Experiment, Unit, median_time, useful_bandwidth
from app.kernels.stage import Stage


def _theory(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """No copy can pass the measured copy roof."""
    return evidence.roof("dram_copy")


def _time_at_the_roof(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    roof = evidence.roof("dram_copy")
    return stage.cost(size, Dtype.FLOAT32).least_dram_bytes / roof if roof else None


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
    Experiment(
        name="copy_tail",
        title="Copying 32001 floats",
        question="What becomes of the elements that fill no float4?",
        lesson="A size that is no multiple of four leaves up to three elements over: the plain float4 copy "
        "does not take it, a scalar tail does and keeps the wide loads for the rest. A copy this small is "
        "bound by its launch, not by memory.",
        problem="copy",
        axis=None,
        axis_title="Version",
        value_title="Time",
        unit=Unit.SECONDS,
        value=median_time,
        theory=_time_at_the_roof,
        theory_title="at the measured copy roof",
        source="L22 §7.2",
        sizes=(Size.of(n=32_001),),
        order=11,
    ),
)
