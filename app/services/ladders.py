"""The ladders there are: problems with their size ranges, and the stages of each on each backend."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.errors import NotFoundError
from app.domain.vocabulary import BackendName
from app.kernels.problem import Problem
from app.kernels.registry import problem, problems, stages
from app.kernels.stage import Stage


@dataclass(frozen=True)
class Ladder:
    """A problem and its stages: the CUDA ladder, then the CPU's, each from first rung to library line."""

    problem: Problem
    stages: tuple[Stage, ...]


def list_ladders() -> tuple[Ladder, ...]:
    """Every problem that has a ladder, in name order."""
    return tuple(_ladder(one) for one in problems().values() if one.is_ladder)


def get_ladder(name: str) -> Ladder:
    """The ladder of that problem. Raises NotFoundError, naming those that exist."""
    found = problem(name)
    if not found.is_ladder:
        known = ", ".join(ladder.problem.name for ladder in list_ladders())
        raise NotFoundError(f"{name} has no ladder. Known: {known}.", field="problem")
    return _ladder(found)


def _ladder(found: Problem) -> Ladder:
    return Ladder(found, tuple(stage for backend in BackendName for stage in stages(found.name, backend)))
