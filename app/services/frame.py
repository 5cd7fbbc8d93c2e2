"""What stands around every page: the running job and how many jobs are active."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.run import Job
from app.domain.vocabulary import JobStatus
from app.storage.store import Store


@dataclass(frozen=True)
class Frame:
    """The running job, if any, and the number of jobs that are queued or running."""

    running: Job | None
    active_count: int

    @property
    def done_fraction(self) -> float | None:
        """Share of the running job's cells that are done."""
        return done_fraction(self.running) if self.running else None


def frame(store: Store) -> Frame:
    """Read the active jobs."""
    active = store.active_jobs()
    running = next((job for job in active if job.status is JobStatus.RUNNING), None)
    return Frame(running, len(active))


def done_fraction(job: Job) -> float:
    """Share of a job's cells that are done, 0 while their number is unknown."""
    return job.progress.done / job.progress.total if job.progress.total else 0.0
