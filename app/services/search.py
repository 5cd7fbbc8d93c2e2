"""Search and jump: stages of every ladder, and runs by number, label, note, tag or device."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.run import RunSummary
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.stage import Stage
from app.storage.store import Store

MOST_RUNS = 20
LONGEST_NUMBER = 12


@dataclass(frozen=True)
class FoundStage:
    """A stage and its ladder."""

    problem: str
    stage: Stage


@dataclass(frozen=True)
class SearchView:
    """What was found for a text."""

    text: str
    stages: tuple[FoundStage, ...]
    runs: tuple[RunSummary, ...]
    named: RunSummary | None = None  # the run whose number was typed


def search(store: Store, text: str) -> SearchView:
    """Look in names, titles and mechanisms of stages, and in runs."""
    wanted = text.strip()
    if not wanted:
        return SearchView("", (), ())
    runs = store.runs(text=wanted, limit=MOST_RUNS)
    return SearchView(wanted, _stages(wanted.lower()), tuple(runs), _numbered(store, wanted))


def _stages(wanted: str) -> tuple[FoundStage, ...]:
    return tuple(
        FoundStage(problem.name, stage)
        for problem in registry.problems().values()
        if problem.is_ladder
        for backend in BackendName
        for stage in registry.stages(problem.name, backend)
        if wanted in f"{stage.name} {stage.title} {stage.mechanism}".lower()
    )


def _numbered(store: Store, wanted: str) -> RunSummary | None:
    number = wanted.lower().removeprefix("run").strip()
    if not (number.isascii() and number.isdigit() and len(number) < LONGEST_NUMBER):
        return None
    nearest = store.runs(before_id=int(number) + 1, limit=1)
    return next((run for run in nearest if run.id == int(number)), None)
