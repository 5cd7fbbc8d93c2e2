"""Cancel a job that is not over yet."""

from __future__ import annotations

from datetime import UTC, datetime

from app.domain.errors import ConflictError
from app.domain.run import Job
from app.domain.vocabulary import JobStatus
from app.jobs.engine import JobQueue
from app.storage.store import Store


def cancel_job(store: Store, queue: JobQueue, job_id: int) -> Job:
    """A queued job is cancelled at once; a running one as soon as the worker has stopped its child.

    Raises NotFoundError, and ConflictError for a job that is over.
    """
    job = store.job(job_id)
    if job.status.is_final:
        raise ConflictError(
            f"Job {job_id} is {job.status.value} already and cannot be cancelled. Submit a new one if needed."
        )
    queue.cancel(job)
    if job.status is JobStatus.QUEUED:
        store.finish_job(job_id, JobStatus.CANCELLED, None, datetime.now(UTC))
    return store.job(job_id)
