"""Search and jump: stages of every ladder, experiments, pairs, incidents, and runs by number or words."""

from __future__ import annotations

from dataclasses import dataclass

from app.claims.incidents.incident import Incident, incidents
from app.domain.run import RunSummary
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.experiment import Experiment, experiments
from app.kernels.pair import Pair, pairs
from app.kernels.problem import Problem
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
class FoundPair:
    """A diagnosis pair and its problem."""

    pair: Pair
    problem: Problem


@dataclass(frozen=True)
class SearchView:
    """What was found for a text."""

    text: str
    stages: tuple[FoundStage, ...] = ()
    runs: tuple[RunSummary, ...] = ()
    experiments: tuple[Experiment, ...] = ()
    pairs: tuple[FoundPair, ...] = ()
    incidents: tuple[Incident, ...] = ()
    named: RunSummary | None = None  # the run whose number was typed


def search(store: Store, text: str) -> SearchView:
    """Look in names, titles and descriptions of what the product has, and in runs."""
    wanted = text.strip()
    if not wanted:
        return SearchView("")
    lower = wanted.lower()
    return SearchView(
        text=wanted,
        stages=_stages(lower),
        runs=tuple(store.runs(text=wanted, limit=MOST_RUNS)),
        experiments=tuple(e for e in experiments().values() if lower in _words(e.name, e.title, e.question)),
        pairs=_pairs(lower),
        incidents=tuple(i for i in incidents().values() if lower in _words(i.name, i.title, i.happened)),
        named=_numbered(store, wanted),
    )


def _pairs(wanted: str) -> tuple[FoundPair, ...]:
    found = (FoundPair(pair, registry.problem(pair.problem)) for pair in pairs().values())
    return tuple(
        one for one in found if wanted in _words(one.problem.name, one.problem.title, one.pair.fault)
    )


def _stages(wanted: str) -> tuple[FoundStage, ...]:
    return tuple(
        FoundStage(problem.name, stage)
        for problem in registry.problems().values()
        if problem.is_ladder
        for backend in BackendName
        for stage in registry.stages(problem.name, backend)
        if wanted in _words(stage.name, stage.title, stage.mechanism)
    )


def _words(*texts: str) -> str:
    """What is looked in; an underscore is as good as a space."""
    joined = " ".join(texts).lower()
    return f"{joined} {joined.replace('_', ' ')}"


def _numbered(store: Store, wanted: str) -> RunSummary | None:
    number = wanted.lower().removeprefix("run").strip()
    if not (number.isascii() and number.isdigit() and len(number) < LONGEST_NUMBER):
        return None
    nearest = store.runs(before_id=int(number) + 1, limit=1)
    return next((run for run in nearest if run.id == int(number)), None)
