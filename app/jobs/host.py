"""The worker's side of the job engine: one queue, one job at a time, restarted after a crash."""

from __future__ import annotations

import threading
from collections.abc import Callable

from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer
from sqlalchemy.exc import DBAPIError

from app.domain.errors import UnavailableError
from app.jobs.engine import APPLICATION, QUEUE, WORKFLOW, engine_database
from app.jobs.run_job import RELEASED

POLL_S = 0.25
# Unpinned, DBOS takes a hash of the source: a job that crashed before an upgrade would wait for ever.
_VERSION = "1"
_RECOVERIES = 10


def launch(engine_url: str, executor_id: str, run: Callable[[int], str]) -> None:
    """Begin to take jobs off the queue and to call `run` with their ids, on a thread of the engine.

    Jobs that the last process of this `executor_id` left unfinished are run again. Raises UnavailableError
    when the engine's database cannot be used.
    """
    config = DBOSConfig(
        name=APPLICATION,
        system_database_engine=engine_database(engine_url),
        system_database_url=engine_url,
        executor_id=executor_id,
        application_version=_VERSION,
        serializer=DBOSPortableJSONSerializer(),
        log_level="WARNING",
    )
    try:
        DBOS(config=config)
        _declare(run)
        DBOS.listen_queues([QUEUE])
        DBOS.launch()
        DBOS.register_queue(
            QUEUE, worker_concurrency=1, polling_interval_sec=POLL_S, on_conflict="always_update"
        )
    except DBAPIError as error:
        raise UnavailableError(
            f"The job engine's database cannot be used ({error.orig}). The worker did not start; check that"
            " the data folder is writable and has room."
        ) from error


def _declare(run: Callable[[int], str]) -> None:
    @DBOS.step(name="run_job")
    def run_job(job_id: int) -> str:
        ending = run(job_id)
        if ending == RELEASED:
            # The process is about to end. Returning would tell the engine that the job is over.
            threading.Event().wait()
        return ending

    # One step a workflow: nothing is left to recover between steps.
    @DBOS.workflow(name=WORKFLOW, max_recovery_attempts=_RECOVERIES)
    def measure_job(job_id: int) -> str:
        return run_job(job_id)
