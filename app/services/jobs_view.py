"""The jobs page: when is it done, and why did that fail?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from app.domain.device import Device
from app.domain.errors import NotFoundError
from app.domain.measurement import CellOutcome
from app.domain.run import Job
from app.domain.vocabulary import CellStatus, JobStatus
from app.services.estimate import queue_wait_s
from app.services.live_job import LiveJob, job_title, live_job
from app.storage.store import Store

FINISHED_SHOWN = 25


@dataclass(frozen=True)
class QueuedJob:
    """A job that waits, with its place and when it will start."""

    job: Job
    title: str
    place: int
    starts_in_s: float


@dataclass(frozen=True)
class EndedJob:
    """A job that is over. `partly`: it finished, but some cells gave no number."""

    job: Job
    title: str
    measured: int
    total: int
    partly: bool
    reason: str
    run_kept: bool

    @property
    def took_s(self) -> float | None:
        """From start to end."""
        start, end = self.job.started_at, self.job.finished_at
        return (end - start).total_seconds() if start and end else None


@dataclass(frozen=True)
class JobsView:
    """The current job, the queue in order and the ended jobs, newest first."""

    live: LiveJob | None
    device: Device | None
    queue: tuple[QueuedJob, ...]
    ended: tuple[EndedJob, ...]
    ended_filter: str
    next_before: int | None


def jobs_view(store: Store, ended_filter: str = "all", before_id: int | None = None) -> JobsView:
    """Read active and ended jobs; `ended_filter` "failed" keeps the failed ones."""
    active = store.active_jobs()
    running = next((job for job in active if job.status is JobStatus.RUNNING), None)
    status = JobStatus.FAILED if ended_filter == "failed" else None
    page = store.jobs(status=status, before_id=before_id, limit=FINISHED_SHOWN + len(active))
    ended = [job for job in page if job.status.is_final][:FINISHED_SHOWN]
    more = len(page) == FINISHED_SHOWN + len(active) and ended
    worker = next(iter(store.workers()), None)
    return JobsView(
        live=live_job(store, running) if running else None,
        device=worker.device if worker else None,
        queue=_queue(active),
        ended=tuple(_ended(store, job) for job in ended),
        ended_filter=ended_filter,
        next_before=ended[-1].id if more else None,
    )


def _queue(active: Sequence[Job]) -> tuple[QueuedJob, ...]:
    queued = [job for job in active if job.status is JobStatus.QUEUED]
    now = datetime.now(UTC)
    return tuple(
        QueuedJob(job, job_title(job.selection, job.label), place, queue_wait_s(active, job.id, now))
        for place, job in enumerate(queued, start=1)
    )


def _ended(store: Store, job: Job) -> EndedJob:
    outcomes: tuple[CellOutcome, ...] = ()
    try:
        run = store.run(job.run_id)
    except NotFoundError:
        kept = False
    else:
        kept, outcomes = True, run.outcomes
    bad = [o for o in outcomes if o.status in (CellStatus.FAILED, CellStatus.WRONG_RESULT)]
    measured = sum(o.status is CellStatus.MEASURED for o in outcomes)
    reason = job.error.message if job.error else ""
    if not reason and bad:
        rest = f" {len(bad) - 1} more failed." if len(bad) > 1 else " The other stages were not affected."
        fact = (bad[0].reason or bad[0].status.value).rstrip(".")
        reason = f"{bad[0].key.stage}: {fact}.{rest}"
    if not reason and job.status is JobStatus.CANCELLED:
        reason = "Cancelled; finished measurements are kept."
    return EndedJob(
        job=job,
        title=job_title(job.selection, job.label),
        measured=measured,
        total=max(job.progress.total, len(outcomes)),
        partly=job.status is JobStatus.FINISHED and bool(bad),
        reason=reason,
        run_kept=kept,
    )
