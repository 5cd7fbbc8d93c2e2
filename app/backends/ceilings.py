"""The roofs of a device: what a micro-benchmark reaches, and what the device's attributes promise."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from app.backends.backend import Backend
from app.backends.health import held_state
from app.backends.monitor import StateLog
from app.domain.child_messages import CellStarted, ChildMessage, LogLine
from app.domain.device import Device
from app.domain.errors import NotFoundError, StageFailure
from app.domain.measurement import Ceiling, CellKey
from app.domain.size import Size
from app.domain.vocabulary import Provenance
from app.kernels import registry
from app.kernels.problem import Problem
from app.kernels.stage import Stage

PROBLEM = "ceilings"
_LEAST_SAMPLES = 5


@dataclass(frozen=True)
class _Kind:
    kind: str  # as in Ceiling.kind
    sample_s: float


_KINDS = {
    "dram_copy": _Kind("bandwidth", 0.4),
    "stream_triad": _Kind("bandwidth", 0.5),
    "fp32_fma": _Kind("compute", 0.4),
    "blas_fp32": _Kind("compute", 0.5),
}


def measured(
    backend: Backend, log: StateLog, emit: Callable[[ChildMessage], None], seed: int
) -> list[Ceiling]:
    """Run every stage of the problem "ceilings" that this backend has, warm, back to back.

    The value is that of the fastest window, as STREAM reports it: a roof is what the device can do. A
    micro-benchmark that fails leaves its roof out and says so.
    """
    try:
        problem = registry.problem(PROBLEM)
        stages = registry.stages(PROBLEM, backend.name)
    except NotFoundError:
        return []
    found: list[Ceiling] = []
    for stage in stages:
        try:
            found.append(_measure(backend, log, emit, stage, problem, seed))
        except StageFailure as failure:
            emit(LogLine(f"No measured {stage.name} roof: {failure.message}"))
        finally:
            backend.release()
    return found


def from_datasheet(device: Device) -> list[Ceiling]:
    """Roofs computed from the device's attributes at boost clock; none where they are not known."""
    found: list[Ceiling] = []
    if device.datasheet_fp32_flop_per_s is not None:
        found.append(
            Ceiling(
                "fp32_fma",
                "FP32 at boost clock",
                "compute",
                device.datasheet_fp32_flop_per_s,
                Provenance.DATASHEET,
                "multiprocessors x 128 lanes x 2 FLOP x boost clock",
                boost_clock_hz=device.boost_clock_hz,
            )
        )
    if device.datasheet_dram_bytes_per_s is not None:
        found.append(
            Ceiling(
                "dram_copy",
                "DRAM pin bandwidth",
                "bandwidth",
                device.datasheet_dram_bytes_per_s,
                Provenance.DATASHEET,
                "memory clock x 2 x bus width / 8",
                boost_clock_hz=device.boost_clock_hz,
            )
        )
    return found


def _measure(
    backend: Backend,
    log: StateLog,
    emit: Callable[[ChildMessage], None],
    stage: Stage,
    problem: Problem,
    seed: int,
) -> Ceiling:
    size = Size(tuple((p.name, p.default) for p in problem.size_parameters))
    dtype = stage.dtypes[0]
    missing = backend.why_unsupported(stage, problem, size, dtype)
    if missing is not None:
        raise StageFailure(missing)
    emit(CellStarted(CellKey(PROBLEM, stage.name, size, dtype), "compiling"))
    cell = backend.prepare(stage, problem, size, dtype)
    correctness = cell.check(seed)
    if not correctness.passed_before:
        raise StageFailure(correctness.detail)
    launches = backend.warm_launches(cell.warm_up(backend.steady_s))
    emit(CellStarted(CellKey(PROBLEM, stage.name, size, dtype), "sampling"))
    kind = _KINDS[stage.name]
    started = time.monotonic()
    durations_s: list[float] = []
    while len(durations_s) < _LEAST_SAMPLES or time.monotonic() - started < kind.sample_s:
        durations_s.append(cell.time_warm(launches))
    cost = stage.cost(size, dtype)
    work = cost.least_dram_bytes if kind.kind == "bandwidth" else cost.flop
    return Ceiling(
        name=stage.name,
        title=stage.title,
        kind=kind.kind,
        value=work / min(durations_s),
        source=Provenance.MEASURED,
        detail=f"{problem.size_title(size)}, fastest of {len(durations_s)} windows of {launches} launches",
        sm_clock_hz=held_state(log.since(started)).sm_clock_hz,
        boost_clock_hz=backend.device().boost_clock_hz,
    )
