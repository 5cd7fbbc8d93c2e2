"""Submit a job: check it, estimate it, store it, hand it to the engine."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass

from app.domain.errors import DeadlineTooShortError, InvalidInputError, UnavailableError
from app.domain.run import Job, Selection
from app.domain.vocabulary import JobKind
from app.jobs.engine import JobQueue
from app.kernels.cells import measurement_count
from app.services.edit_run import MAX_LABEL, checked_text
from app.services.estimate import JobEstimate, estimate_job, queue_wait_s
from app.services.selection import SelectionRequest, check_selection, device_of
from app.storage.store import Store

logger = logging.getLogger(__name__)

DEFAULT_DEADLINE_S = 600.0
DEADLINE_RANGE_S = (1.0, 86_400.0)
MAX_KEY = 200


@dataclass(frozen=True)
class JobRequest:
    """What a caller asks for. `deadline_s` counts from the job's start."""

    selection: SelectionRequest
    label: str = ""
    deadline_s: float = DEFAULT_DEADLINE_S
    kind: JobKind = JobKind.BENCHMARK


@dataclass(frozen=True)
class PlannedJob:
    """A request found good: what it will measure, how long that takes and how long it will wait."""

    selection: Selection
    label: str
    estimate: JobEstimate
    starts_in_s: float

    @property
    def measurement_count(self) -> int:
        """Series that it will sample (see `cells.measurement_count`)."""
        return measurement_count(self.selection)


@dataclass(frozen=True)
class SubmittedJob:
    """The job, and whether this call created it."""

    job: Job
    created: bool


def plan_job(store: Store, request: JobRequest) -> PlannedJob:
    """Check and estimate, store nothing. Raises InvalidInputError, UnavailableError (see `check_selection`).

    Raises DeadlineTooShortError, with the estimate, for a job that cannot end in time.
    """
    label = checked_text(request.label, "label", MAX_LABEL)
    low, high = DEADLINE_RANGE_S
    if not low <= request.deadline_s <= high:
        raise InvalidInputError(
            f"deadline_s must be between {low:g} and {high:g} seconds; nothing was stored.",
            field="deadline_s",
        )
    workers = store.workers()
    selection = check_selection(request.selection, workers)
    estimate = estimate_job(store, selection, device_of(selection.backend, workers))
    if estimate.total_s > request.deadline_s:
        raise DeadlineTooShortError(
            f"The job is estimated at {estimate.total_s:.0f} s, its deadline is {request.deadline_s:g} s; "
            "nothing was stored. Raise deadline_s or ask for fewer stages, sizes or dtypes.",
            field="deadline_s",
        )
    return PlannedJob(selection, label, estimate, queue_wait_s(store.active_jobs()))


def submit_job(
    store: Store, queue: JobQueue, request: JobRequest, *, idempotency_key: str | None = None
) -> SubmittedJob:
    """Plan, store and enqueue. The same key with the same request is the first job again.

    Raises what `plan_job` raises, and IdempotencyMismatchError for a key that came with another request.
    """
    key = None if idempotency_key is None else _checked_key(idempotency_key)
    request_sha256 = hashlib.sha256(repr(request).encode()).hexdigest()
    # Before planning: what was accepted once is not refused when it is sent again.
    known = store.job_submitted_before(key, request_sha256) if key else None
    if known is not None:
        return SubmittedJob(known, created=False)
    planned = plan_job(store, request)
    job, created = store.create_job(
        kind=request.kind,
        selection=planned.selection,
        label=planned.label,
        deadline_s=request.deadline_s,
        estimate_s=planned.estimate.total_s,
        cell_count=planned.estimate.cell_count,
        idempotency_key=key,
        request_sha256=request_sha256,
    )
    if created:
        _enqueue(queue, job)
    return SubmittedJob(job, created)


def _enqueue(queue: JobQueue, job: Job) -> None:
    """The row is the truth: the worker enqueues again what it finds queued without a workflow."""
    try:
        queue.submit(job)
    except UnavailableError as error:
        logger.warning("Job %d waits for the worker to enqueue it: %s", job.id, error.message)


def _checked_key(key: str) -> str:
    checked = checked_text(key, "Idempotency-Key", MAX_KEY)
    if not checked:
        raise InvalidInputError(
            "Idempotency-Key is empty; send one or leave it out.", field="Idempotency-Key"
        )
    return checked
