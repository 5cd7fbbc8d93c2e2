"""What can be measured: every ladder with its stages for each backend, and the best this machine reached."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.domain.errors import NotFoundError
from app.domain.run import RunSummary
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.kernels.problem import Problem
from app.kernels.stage import Stage
from app.services.duels import DuelView, duel_view, newest_duels
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
    duels: DuelView = field(default_factory=DuelView)  # the newest of each device, size and regime
    dtype: Dtype | None = None  # of the stages and duels; None: of every type


def catalogue(store: Store) -> tuple[LadderEntry, ...]:
    """Every problem that is a ladder."""
    return tuple(_entry(store, p) for p in registry.problems().values() if p.is_ladder)


def ladder_entry(store: Store, name: str, dtype: str | None = None, regime: str | None = None) -> LadderEntry:
    """One problem in one of its element types, by default the first; duels in one regime, by default all.

    Raises NotFoundError for an unknown problem and for the ceilings' micro-benchmarks.
    """
    problem = registry.problem(name)
    if not problem.is_ladder:
        raise NotFoundError(f"{name} holds the roofs' micro-benchmarks and is no ladder.", field="problem")
    chosen = next((d for d in problem.dtypes if d.value == dtype), problem.dtypes[0])
    entry = _entry(store, problem)
    ladders = [
        replace(ladder, stages=tuple(s for s in ladder.stages if chosen in s.dtypes))
        for ladder in entry.ladders
    ]
    return replace(
        entry,
        ladders=tuple(ladder for ladder in ladders if ladder.stages),
        duels=duel_view([r for r in newest_duels(store, problem.name) if r.duel.dtype is chosen], regime),
        dtype=chosen,
    )


def _entry(store: Store, problem: Problem) -> LadderEntry:
    ladders = []
    for backend in BackendName:
        stages = registry.stages(problem.name, backend)
        if stages:
            runs = store.runs(problem=problem.name, backend=backend.value, limit=1)
            ladders.append(BackendLadder(backend, stages, runs[0] if runs else None))
    return LadderEntry(problem, tuple(ladders))
