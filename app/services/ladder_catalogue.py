"""What can be measured: every ladder with its stages for each backend, and the best this machine reached."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.domain.errors import NotFoundError
from app.domain.run import RunSummary
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.problem import Problem
from app.kernels.stage import Stage
from app.services.duels import DuelRow, newest_duels
from app.storage.store import Store


@dataclass(frozen=True)
class BackendLadder:
    """The stages of a problem on one backend, and the newest run that measured them."""

    backend: BackendName
    stages: tuple[Stage, ...]
    latest: RunSummary | None


@dataclass(frozen=True)
class LadderEntry:
    """A problem and its ladders."""

    problem: Problem
    ladders: tuple[BackendLadder, ...]
    duels: tuple[DuelRow, ...] = ()  # the newest of each device, size, type and regime


def catalogue(store: Store) -> tuple[LadderEntry, ...]:
    """Every problem that is a ladder."""
    return tuple(_entry(store, p) for p in registry.problems().values() if p.is_ladder)


def ladder_entry(store: Store, name: str) -> LadderEntry:
    """One problem. Raises NotFoundError for an unknown one and for the ceilings' micro-benchmarks."""
    problem = registry.problem(name)
    if not problem.is_ladder:
        raise NotFoundError(f"{name} holds the roofs' micro-benchmarks and is no ladder.", field="problem")
    entry = _entry(store, problem)
    return replace(entry, duels=newest_duels(store, problem.name))


def _entry(store: Store, problem: Problem) -> LadderEntry:
    ladders = []
    for backend in BackendName:
        stages = registry.stages(problem.name, backend)
        if stages:
            runs = store.runs(problem=problem.name, backend=backend.value, limit=1)
            ladders.append(BackendLadder(backend, stages, runs[0] if runs else None))
    return LadderEntry(problem, tuple(ladders))
