"""Variants of one kernel side by side on the GPU: checked, then sampled in turn, fastest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median

from app.backends.cuda import CudaBackend
from app.domain.errors import StageFailure
from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels import registry
from app.kernels.stage import Launch, Stage

ROUNDS = 12
WARM_LAUNCHES = 4


def variant(base: Stage, source: Path, entry: str, launch: Launch, **constants: int) -> Stage:
    """`base` with another source, grid and `-D` constants."""
    return replace(
        base,
        source=source,
        entry=entry,
        launch=lambda _size: launch,
        compile_options=tuple(f"-D{name}={value}" for name, value in constants.items()),
    )


def race(problem_name: str, size: Size, contestants: Mapping[str, Stage], moved_bytes: int) -> None:
    """Print each contestant's cold and warm median in GB/s of `moved_bytes`; one that is wrong says so."""
    backend, problem = CudaBackend(Path("data/cache/cubins")), registry.problem(problem_name)
    backend.compile_ahead(list(contestants.values()))
    prepared = {}
    for name, stage in contestants.items():
        try:
            cell = backend.prepare(stage, problem, size, Dtype.FLOAT32)
            found = cell.check(1)
        except StageFailure as failure:
            print(f"{name:34s} {failure.message}")
            continue
        if found.passed_before:
            prepared[name] = cell
        else:
            print(f"{name:34s} wrong: {found.detail}")
    cold: dict[str, list[float]] = {name: [] for name in prepared}
    warm: dict[str, list[float]] = {name: [] for name in prepared}
    for _ in range(ROUNDS):
        for name, cell in prepared.items():
            cold[name].append(cell.time_cold())
            warm[name].append(cell.time_warm(WARM_LAUNCHES))
    for name in sorted(prepared, key=lambda n: median(cold[n])):
        rates = (moved_bytes / median(times[name]) / 1e9 for times in (cold, warm))
        print(f"{name:34s} cold {next(rates):7.1f} GB/s, warm {next(rates):7.1f} GB/s", flush=True)
