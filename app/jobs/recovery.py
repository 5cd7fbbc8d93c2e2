"""Brings our job table and the engine together again after any crash: at start and every few seconds."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from app.domain.run import Job, JobError
from app.domain.vocabulary import JobStatus
from app.jobs.engine import EngineClient, WorkflowState
from app.storage.store import Store

logger = logging.getLogger(__name__)

PERIOD_S = 5.0
KEEP_WORKFLOWS = timedelta(days=7)

_LOST = JobError(
    "engine_ended",
    "The job engine ended this job without a result. Finished measurements are kept. Submit it again; the"
    " worker's log has the details.",
)


def recover(store: Store, engine: EngineClient, running_job_id: int | None = None) -> None:
    """Enqueue what has no workflow; finish what the engine has ended. `running_job_id` is left alone.

    Harmless however often it runs. Raises UnavailableError.
    """
    jobs = [job for job in store.active_jobs() if job.id != running_job_id]
    states = engine.states([job.workflow_id for job in jobs])
    for job in jobs:
        _settle(store, engine, job, states.get(job.workflow_id))


def forget_old(engine: EngineClient) -> int:
    """Delete workflows that ended long ago; the engine keeps them for ever otherwise."""
    return engine.forget_before(datetime.now(UTC) - KEEP_WORKFLOWS)


def _settle(store: Store, engine: EngineClient, job: Job, state: WorkflowState | None) -> None:
    now = datetime.now(UTC)
    if state is None:
        logger.info("Job %d has no workflow; enqueued again.", job.id)
        engine.submit(job)
    elif state is WorkflowState.CANCELLED:
        store.finish_job(job.id, JobStatus.CANCELLED, None, now)
    elif state in (WorkflowState.FAILED, WorkflowState.ENDED):
        store.finish_job(job.id, JobStatus.FAILED, _LOST, now)
