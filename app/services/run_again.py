"""Measure again what a run measured."""

from __future__ import annotations

from app.domain.run import Job
from app.jobs.engine import JobQueue
from app.services.selection import SelectionRequest
from app.services.submit_job import JobRequest, submit_job
from app.storage.store import Store


def run_again(store: Store, queue: JobQueue, run_id: int) -> Job:
    """Submit the run's own selection. Raises NotFoundError, and what `submit_job` raises."""
    run = store.run(run_id)
    chosen = run.selection
    request = SelectionRequest(
        problems=chosen.problems,
        sizes=chosen.sizes,
        dtypes=tuple(dtype.value for dtype in chosen.dtypes),
        stages=chosen.stages,
        backend=chosen.backend.value,
        duel=tuple(regime.value for regime in chosen.duel),
        scan=chosen.scan,
    )
    return submit_job(store, queue, JobRequest(request, run.summary.label)).job
