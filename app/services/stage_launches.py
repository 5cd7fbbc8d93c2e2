"""Every CUDA stage with the grids and blocks that it is launched with, to recognise launches by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from app.domain.size import Size
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.problem import Problem
from app.kernels.stage import Launch, Stage

# Sizes that people profile at, beside those that a problem names itself.
_COMMON = (256, 512, 1024, 2048, 4096, 8192)
_SHARED_BY_ALL = ("m", "n", "k", "rows", "columns")


@dataclass(frozen=True)
class KnownStage:
    """A stage with its launches by size. families: how many stages share its kernel function."""

    problem: Problem
    stage: Stage
    launches: tuple[tuple[Size, Launch], ...]

    def sizes_with(self, grid: tuple[int, int, int], block: tuple[int, int, int]) -> tuple[Size, ...]:
        """Sizes at which it is launched with this grid and block."""
        return tuple(size for size, one in self.launches if (one.grid, one.block) == (grid, block))

    def has_block(self, block: tuple[int, int, int]) -> bool:
        """Whether it is launched with blocks of this shape at any size."""
        return any(launch.block == block for _, launch in self.launches)


@cache
def known_stages() -> tuple[KnownStage, ...]:
    """All of them, ladders first."""
    return tuple(
        KnownStage(problem, stage, tuple(_launches(problem, stage)))
        for problem in registry.problems().values()
        for stage in registry.stages(problem.name, BackendName.CUDA)
    )


@cache
def stages_by_function() -> dict[str, tuple[KnownStage, ...]]:
    """Stages by the name of their kernel function."""
    found: dict[str, list[KnownStage]] = {}
    for one in known_stages():
        if one.stage.entry:
            found.setdefault(one.stage.entry, []).append(one)
    return {entry: tuple(stages) for entry, stages in found.items()}


def _launches(problem: Problem, stage: Stage) -> Iterator[tuple[Size, Launch]]:
    if stage.launch is None:
        return
    for size in _sizes(problem):
        if stage.why_not is None or stage.why_not(size) is None:
            yield size, stage.launch(size)


def _sizes(problem: Problem) -> tuple[Size, ...]:
    parameters = problem.size_parameters
    default = Size(tuple((p.name, p.default) for p in parameters))
    equal_sided = all(p.name in _SHARED_BY_ALL for p in parameters)
    common = [Size(tuple((p.name, side) for p in parameters)) for side in _COMMON] if equal_sided else []
    return tuple(dict.fromkeys([*problem.suite_sizes, default, *common]))
