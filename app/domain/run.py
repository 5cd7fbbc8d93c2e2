"""A run: one execution of a selection on one device, and the job that carries it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from app.domain.device import Device, Environment
from app.domain.duel import Duel
from app.domain.measurement import Ceiling, CellOutcome, Measurement
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, JobKind, JobStatus, Regime, RunStatus


@dataclass(frozen=True)
class Selection:
    """What to measure. `stages` None means every stage of each problem that the backend can run.

    A suite has no sizes and no dtypes: each problem brings its own (`app.kernels.cells`). `duel`: regimes in
    which the fastest own stage fights the fastest library line; library lines then always take part.
    `scan`: every cell briefly, those left out whose launch alone would take too long.
    """

    problems: tuple[str, ...]
    stages: tuple[str, ...] | None
    sizes: tuple[Size, ...]
    dtypes: tuple[Dtype, ...]
    backend: BackendName
    duel: tuple[Regime, ...] = ()
    scan: bool = False


@dataclass(frozen=True)
class Progress:
    """How far a job is; `eta_s` is an estimate, None while nothing is known."""

    done: int
    total: int
    cell: str | None = None
    eta_s: float | None = None


@dataclass(frozen=True)
class JobError:
    """Why a job failed, in words, with a stable code."""

    code: str
    message: str


@dataclass(frozen=True)
class Job:
    """A request to the worker. `workflow_id` ties it to the engine; `run_id` to what it produces."""

    id: int
    workflow_id: str
    kind: JobKind
    status: JobStatus
    run_id: int
    selection: Selection
    label: str
    deadline_s: float
    created_at: datetime
    progress: Progress
    queue_position: int | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    error: JobError | None = None
    attempts: int = 0
    estimate_s: float | None = None


@dataclass(frozen=True)
class JobEvent:
    """One line of a job's story; `id` grows over all jobs and is the SSE event id."""

    id: int
    job_id: int
    at: datetime
    kind: str  # "status", "progress", "cell", "log"
    data: dict[str, object]

    @property
    def subject(self) -> Hashable:
        """What the event is about: a later event of the same subject says all that this one does."""
        if self.kind == "progress":
            return self.kind
        if self.kind == "cell":
            return tuple(str(self.data.get(name)) for name in _CELL_SUBJECT)
        return self.id


_CELL_SUBJECT = ("problem", "stage", "size", "dtype", "cache")


def latest_of_each(events: Iterable[JobEvent]) -> list[JobEvent]:
    """The newest event of each subject, in id order; `events` are in id order."""
    kept = {event.subject: event for event in events}
    return sorted(kept.values(), key=lambda event: event.id)


@dataclass(frozen=True)
class RunSummary:
    """A row of the run list."""

    id: int
    uid: str
    status: RunStatus
    backend: BackendName
    imported: bool
    created_at: datetime
    label: str
    device: Device | None
    problems: tuple[str, ...]
    note: str = ""
    tags: tuple[str, ...] = ()
    job_id: int | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    error: JobError | None = None


@dataclass(frozen=True)
class Run:
    """Everything kept of a run but its raw samples."""

    summary: RunSummary
    selection: Selection
    environment: Environment | None = None
    measurements: tuple[Measurement, ...] = ()
    outcomes: tuple[CellOutcome, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)  # sha256 -> text of each stage's source
    duels: tuple[Duel, ...] = ()
