"""How long a job will take, and when it will start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from app.domain.device import Device
from app.domain.run import Job, Selection
from app.domain.vocabulary import RunStatus
from app.jobs.durations import expected_durations
from app.storage.store import Store


@dataclass(frozen=True)
class JobEstimate:
    """Seconds of work. `known_cells` of `cell_count` rest on this device's own measurements."""

    total_s: float
    cell_count: int
    known_cells: int


def estimate_job(store: Store, selection: Selection, device: Device | None) -> JobEstimate:
    """Seconds from the job's start to its end; `device` None means a device not seen yet."""
    expected = expected_durations(store, selection, device)
    return JobEstimate(expected.total_s, len(expected.cell_s), expected.known)


def queue_wait_s(active: Sequence[Job], job_id: int | None = None, now: datetime | None = None) -> float:
    """Seconds until a queued job starts, or until a new one would where `job_id` is None.

    `active` is oldest first, as `Store.active_jobs` gives it.
    """
    at = now or datetime.now(UTC)
    return sum(_remaining_s(job, at) for job in active if job_id is None or job.id < job_id)


def _remaining_s(job: Job, now: datetime) -> float:
    estimate = job.estimate_s or job.deadline_s
    if job.status is RunStatus.QUEUED or job.started_at is None:
        return estimate
    if job.progress.eta_s is not None:
        return job.progress.eta_s
    return max(0.0, estimate - (now - job.started_at).total_seconds())
