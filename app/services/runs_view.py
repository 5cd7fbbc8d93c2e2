"""The list of runs: which runs exist, what differs?"""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.vocabulary import BackendName, ProblemKind, RunStatus
from app.kernels import registry
from app.services.overview import RecentRun, recent_run
from app.storage.store import Store

PAGE_SIZE = 50
MOST_LISTED = 200


@dataclass(frozen=True)
class RunFilter:
    """What the list is narrowed to; an empty text means all."""

    text: str = ""
    status: str = ""
    backend: str = ""
    problem: str = ""
    device: str = ""
    tag: str = ""
    kind: str = ""  # own or imported

    @property
    def narrows(self) -> bool:
        """Whether anything is left out."""
        return any((self.text, self.status, self.backend, self.problem, self.device, self.tag, self.kind))


@dataclass(frozen=True)
class RunsView:
    """One page of runs, newest first, and the words that the filters offer."""

    runs: tuple[RecentRun, ...]
    filter: RunFilter
    devices: tuple[str, ...]
    tags: tuple[str, ...]
    problems: tuple[str, ...]
    statuses: tuple[str, ...]
    backends: tuple[str, ...]
    next_before: int | None


def runs_view(store: Store, wanted: RunFilter, before_id: int | None = None) -> RunsView:
    """Read one page. Words that are not known filter nothing out by themselves: the list is just empty."""
    found = store.runs(
        before_id=before_id,
        limit=PAGE_SIZE + 1,
        status=RunStatus(wanted.status) if wanted.status in tuple(RunStatus) else None,
        backend=wanted.backend or None,
        imported={"imported": True, "own": False}.get(wanted.kind),
        problem=wanted.problem or None,
        device=wanted.device or None,
        text=wanted.text or None,
        tag=wanted.tag or None,
    )
    page = found[:PAGE_SIZE]
    every = store.runs(limit=MOST_LISTED)
    return RunsView(
        runs=tuple(recent_run(store, run) for run in page),
        filter=wanted,
        devices=tuple(sorted({run.device.name for run in every if run.device})),
        tags=tuple(sorted({tag for run in every for tag in run.tags})),
        problems=tuple(p.name for p in registry.problems().values() if p.kind is not ProblemKind.CEILING),
        statuses=tuple(status.value for status in RunStatus),
        backends=tuple(backend.value for backend in BackendName),
        next_before=page[-1].id if len(found) > PAGE_SIZE else None,
    )
