"""The roofs of a device: what a micro-benchmark reaches, and what the device's attributes promise."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from app.backends.backend import Backend
from app.backends.health import held_state
from app.backends.monitor import StateLog
from app.domain.child_messages import CellStarted, ChildMessage, LogLine
from app.domain.device import Device
from app.domain.errors import StageFailure, StickyDeviceFailure
from app.domain.measurement import Ceiling, CellKey
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Level, Provenance
from app.kernels import registry
from app.kernels.problem import Problem
from app.kernels.stage import Cost, Stage

_LEAST_SAMPLES = 5
_HELD_S = 0.3
_LONGEST_S = 4.0
_IMPROVEMENT = 0.99
_MOST_LAUNCHES = 200  # far below the depth of a driver's queue
_WINDOW_S = 0.03  # in a shorter one the first launch's start-up lowers a bandwidth by a percent or two
_ASSUMED_CACHE_BYTES = 64 << 20
_SHARED_BYTES_PER_CLOCK = 32 * 4


@dataclass(frozen=True)
class _MicroBenchmark:
    """Which stage finds the roof called `name`, at which size (None: what the stage asks for).

    A bandwidth counts the least DRAM bytes, or with `level` the bytes that the stage asks of that level.
    """

    name: str
    kind: str  # as in Ceiling.kind
    problem: str
    stage: str
    size: Size | None = None
    title: str | None = None  # None: the stage's own
    level: Level | None = None

    def work(self, cost: Cost) -> int:
        """Bytes or FLOP of one launch, by the roof's kind."""
        if self.kind == "compute":
            return cost.flop
        return cost.bytes_by_level[self.level] if self.level else cost.least_dram_bytes


_GIBIBYTE = Size.of(n=2**28)


def _read(
    name: str, title: str, stage: str, working_set_mib: int, level: Level = Level.L2
) -> _MicroBenchmark:
    """A roof of reading; past L1 a set far beyond the L2 cache comes from DRAM."""
    size = Size.of(kib=working_set_mib * 1024)
    return _MicroBenchmark(name, "bandwidth", "read_bandwidth", stage, size, title, level)


_OF_BACKEND: dict[BackendName, tuple[_MicroBenchmark, ...]] = {
    BackendName.CUDA: (
        _MicroBenchmark("dram_copy", "bandwidth", "copy", "vector_tail", _GIBIBYTE, "DRAM copy"),
        _read("dram_read", "DRAM read", "past_l1", 2048),
        _read("l2_read", "L2 read", "past_l1", 16),
        _read("shared_read", "Shared memory read", "shared_memory", 16, Level.SHARED),
        _MicroBenchmark("fp32_fma", "compute", "ceilings", "fp32_fma"),
    ),
    BackendName.CPU: (
        _MicroBenchmark("stream_triad", "bandwidth", "ceilings", "stream_triad"),
        _MicroBenchmark("fp32_fma", "compute", "ceilings", "fp32_fma"),
        _MicroBenchmark("blas_fp32", "compute", "matmul", "blas", Size.of(m=1024, n=1024, k=1024)),
    ),
}


def measured(
    backend: Backend, log: StateLog, emit: Callable[[ChildMessage], None], seed: int
) -> list[Ceiling]:
    """Run this backend's micro-benchmarks, warm, back to back.

    The value is that of the fastest window, as STREAM reports it: a roof is what the device can do. A
    micro-benchmark that fails leaves its roof out and says so.
    """
    found: list[Ceiling] = []
    for benchmark in _OF_BACKEND[backend.name]:
        try:
            found.append(_measure(backend, log, emit, benchmark, seed))
        except StickyDeviceFailure:
            raise
        except StageFailure as failure:
            emit(LogLine(f"No measured {benchmark.name} roof: {failure.message}"))
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
    return found + _shared_from_datasheet(device)


def _shared_from_datasheet(device: Device) -> list[Ceiling]:
    """32 banks of 4 bytes a clock and multiprocessor: CUDA C++ programming guide, shared memory."""
    if device.backend is not BackendName.CUDA or not device.multiprocessor_count or not device.boost_clock_hz:
        return []
    return [
        Ceiling(
            "shared_read",
            "Shared memory at boost clock",
            "bandwidth",
            device.multiprocessor_count * _SHARED_BYTES_PER_CLOCK * device.boost_clock_hz,
            Provenance.DATASHEET,
            "multiprocessors x 32 banks x 4 bytes x boost clock",
            boost_clock_hz=device.boost_clock_hz,
        )
    ]


def _measure(
    backend: Backend,
    log: StateLog,
    emit: Callable[[ChildMessage], None],
    benchmark: _MicroBenchmark,
    seed: int,
) -> Ceiling:
    problem = registry.problem(benchmark.problem)
    stage = registry.stage(benchmark.problem, backend.name, benchmark.stage)
    size = benchmark.size or _size(stage, problem, backend.device().l2_bytes)
    key = CellKey(problem.name, stage.name, size, stage.dtypes[0])
    missing = backend.why_unsupported(stage, problem, size, key.dtype)
    if missing is not None:
        raise StageFailure(missing)
    emit(CellStarted(key, "compiling"))
    cell = backend.prepare(stage, problem, size, key.dtype)
    correctness = cell.check(seed)
    if not correctness.passed_before:
        raise StageFailure(correctness.detail)
    launch_s = cell.warm_up(backend.steady_s)
    launches = max(backend.warm_launches(launch_s), min(_MOST_LAUNCHES, math.ceil(_WINDOW_S / launch_s)))
    emit(CellStarted(key, "sampling"))
    started = time.monotonic()
    durations_s = sample_fastest(lambda: cell.time_warm(launches))
    cost = stage.cost(size, key.dtype)
    return Ceiling(
        name=benchmark.name,
        title=benchmark.title or stage.title,
        kind=benchmark.kind,
        value=benchmark.work(cost) / min(durations_s),
        source=Provenance.MEASURED,
        detail=f"{problem.size_title(size)}, fastest of {len(durations_s)} windows of {launches} launches",
        sm_clock_hz=held_state(log.since(started)).sm_clock_hz,
        boost_clock_hz=backend.device().boost_clock_hz,
    )


def sample_fastest(take: Callable[[], float]) -> list[float]:
    """Sample until the fastest has held for `_HELD_S`, so that a busy neighbour does not lower a roof.

    Raises StageFailure when no window has a positive duration.
    """
    started = improved = time.monotonic()
    durations_s: list[float] = []
    fastest_s = float("inf")
    while True:
        duration_s, now = take(), time.monotonic()
        durations_s.append(duration_s)
        if 0 < duration_s < _IMPROVEMENT * fastest_s:
            fastest_s, improved = duration_s, now
        held = len(durations_s) >= _LEAST_SAMPLES and now - improved >= _HELD_S
        if held or now - started >= _LONGEST_S:
            break
    possible = [d for d in durations_s if d > 0]
    if not possible:
        raise StageFailure("no window had a positive duration")
    return possible


def _size(stage: Stage, problem: Problem, cache_bytes: int | None) -> Size:
    if stage.ceiling_size is not None:
        return stage.ceiling_size(cache_bytes or _ASSUMED_CACHE_BYTES)
    return Size(tuple((p.name, p.default) for p in problem.size_parameters))
