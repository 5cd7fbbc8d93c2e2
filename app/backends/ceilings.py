"""The roofs of a device: what micro-benchmarks reach."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from app.backends.backend import Backend
from app.backends.health import held_state
from app.backends.monitor import StateLog
from app.domain.child_messages import CellStarted, ChildMessage, LogLine
from app.domain.errors import StageFailure, StickyDeviceFailure
from app.domain.measurement import Ceiling, CellKey
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Level, Provenance
from app.kernels import registry
from app.kernels.ceilings.operands import OPERANDS, Operand
from app.kernels.problem import Problem
from app.kernels.stage import Cost, Stage

_LEAST_SAMPLES = 5
_HELD_S = 0.3
_LONGEST_S = 4.0
_IMPROVEMENT = 0.99
_MOST_LAUNCHES = 200  # far below the depth of a driver's queue
_WINDOW_S = 0.03  # in a shorter one the first launch's start-up lowers a bandwidth by a percent or two
_ASSUMED_CACHE_BYTES = 64 << 20


@dataclass(frozen=True)
class _MicroBenchmark:
    """Which stages find the roof called `name`, at which size (None: what the stage asks for).

    The first of `stages` that the device supports is run. A bandwidth counts the least DRAM bytes, or with
    `level` the bytes that the stage asks of that level.
    """

    name: str
    kind: str  # as in Ceiling.kind
    problem: str
    stages: tuple[str, ...]
    size: Size | None = None
    title: str | None = None  # None: the stage's own
    level: Level | None = None

    def work(self, cost: Cost) -> int:
        """Bytes or FLOP of one launch, by the roof's kind."""
        if self.kind == "compute":
            return cost.flop
        return cost.bytes_by_level[self.level] if self.level else cost.least_dram_bytes

    def declared(self, backend: BackendName) -> tuple[Stage, ...]:
        """Its stages in order of preference."""
        return tuple(registry.stage(self.problem, backend, name) for name in self.stages)


_GIBIBYTE = Size.of(n=2**28)


def _read(
    name: str, title: str, stage: str, working_set_mib: int, level: Level = Level.L2
) -> _MicroBenchmark:
    """A roof of reading; past L1 a set far beyond the L2 cache comes from DRAM."""
    size = Size.of(kib=working_set_mib * 1024)
    return _MicroBenchmark(name, "bandwidth", "read_bandwidth", (stage,), size, title, level)


def _tensor(operand: Operand) -> _MicroBenchmark:
    """A roof of the tensor pipe: by WGMMA where the device has it, else by mma.sync."""
    stages = (f"wgmma_{operand.name}", f"mma_{operand.name}")
    title = f"{operand.title} tensor"
    return _MicroBenchmark(f"tensor_{operand.name}", "compute", "ceilings", stages, title=title)


_OF_BACKEND: dict[BackendName, tuple[_MicroBenchmark, ...]] = {
    BackendName.CUDA: (
        _MicroBenchmark("dram_copy", "bandwidth", "copy", ("vector_tail",), _GIBIBYTE, "DRAM copy"),
        _read("dram_read", "DRAM read", "past_l1", 2048),
        _MicroBenchmark("dram_write", "bandwidth", "fill", ("float4_store",), title="DRAM write"),
        _read("l2_read", "L2 read", "past_l1", 16),
        _read("shared_read", "Shared memory read", "shared_memory", 16, Level.SHARED),
        _MicroBenchmark("fp32_fma", "compute", "ceilings", ("fp32_fma",)),
        *(_tensor(operand) for operand in OPERANDS),
    ),
    BackendName.CPU: (
        _MicroBenchmark("stream_triad", "bandwidth", "ceilings", ("stream_triad",)),
        _MicroBenchmark("fp32_fma", "compute", "ceilings", ("fp32_fma",)),
        _MicroBenchmark("blas_fp32", "compute", "matmul", ("blas",), Size.of(m=1024, n=1024, k=1024)),
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
    backend.compile_ahead([s for one in _OF_BACKEND[backend.name] for s in one.declared(backend.name)])
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


def _measure(
    backend: Backend,
    log: StateLog,
    emit: Callable[[ChildMessage], None],
    benchmark: _MicroBenchmark,
    seed: int,
) -> Ceiling:
    problem = registry.problem(benchmark.problem)
    stage, size = _supported(backend, benchmark)
    key = CellKey(problem.name, stage.name, size, stage.dtypes[0])
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
    windows = f"fastest of {len(durations_s)} windows of {launches} launches"
    return Ceiling(
        name=benchmark.name,
        title=benchmark.title or stage.title,
        kind=benchmark.kind,
        value=benchmark.work(cost) / min(durations_s),
        source=Provenance.MEASURED,
        detail=f"{stage.title}, {problem.size_title(size)}, {windows}",
        sm_clock_hz=held_state(log.since(started)).sm_clock_hz,
        boost_clock_hz=backend.device().boost_clock_hz,
    )


def _supported(backend: Backend, benchmark: _MicroBenchmark) -> tuple[Stage, Size]:
    """The first stage that the device supports, and its size. Raises StageFailure: why not even the last."""
    problem, missing = registry.problem(benchmark.problem), None
    for stage in benchmark.declared(backend.name):
        size = benchmark.size or _size(stage, problem, backend.device().l2_bytes)
        missing = backend.why_unsupported(stage, problem, size, stage.dtypes[0])
        if missing is None:
            return stage, size
    raise StageFailure(missing or f"{benchmark.name} names no stage")


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
