"""Submit, follow and cancel jobs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Request, Response

from app.domain.vocabulary import JobStatus
from app.services.cancel_job import cancel_job
from app.services.estimate import queue_wait_s
from app.services.submit_job import MAX_KEY, submit_job
from app.web.api.job_models import JobIn, JobOut
from app.web.api.paging import Cursor, JobId, Limit, Page, before_id, page_of
from app.web.api.problems import problems
from app.web.dependencies import QueueDep, StoreDep

router = APIRouter(prefix="/jobs", tags=["jobs"])

LOCATION = {"Location": {"description": "Address of the job.", "schema": {"type": "string"}}}
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=MAX_KEY,
        description="A text of your own: with the same body again it gives the first job, with another 422.",
    ),
]


@router.post(
    "",
    status_code=202,
    responses={
        200: {
            "model": JobOut,
            "description": "The key was known: this is the first job.",
            "headers": LOCATION,
        },
        202: {"description": "The job is queued.", "headers": LOCATION},
    },
)
def submit(
    body: JobIn, store: StoreDep, queue: QueueDep, response: Response, idempotency_key: IdempotencyKey = None
) -> JobOut:
    """Queue a benchmark. Nothing is stored when it is refused."""
    submitted = submit_job(store, queue, body.request(), idempotency_key=idempotency_key)
    response.status_code = 202 if submitted.created else 200
    response.headers["Location"] = f"/api/v1/jobs/{submitted.job.id}"
    return JobOut.of(submitted.job, queue_wait_s(store.active_jobs(), submitted.job.id))


@router.get("")
def list_jobs(
    request: Request,
    store: StoreDep,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: JobStatus | None = None,
) -> Page[JobOut]:
    """Jobs, newest first."""
    found = store.jobs(status=status, before_id=before_id(cursor), limit=limit + 1)
    jobs, following = page_of(request, found, limit, lambda job: job.id)
    active = store.active_jobs()
    return Page(items=[JobOut.of(job, queue_wait_s(active, job.id)) for job in jobs], next=following)


@router.get("/{job_id}", responses=problems(404))
def get_job(job_id: JobId, store: StoreDep) -> JobOut:
    """One job with its progress."""
    return JobOut.of(store.job(job_id), queue_wait_s(store.active_jobs(), job_id))


@router.post("/{job_id}/cancel", status_code=202, responses=problems(404, 409))
def cancel(job_id: JobId, store: StoreDep, queue: QueueDep) -> JobOut:
    """Cancel a job; a running one stays `running` until its measuring process is gone."""
    return JobOut.of(cancel_job(store, queue, job_id), None)
