"""The door to the job engine (DBOS): submit, cancel, ask. The worker's side is in `host.py`."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from enum import Enum
from typing import Any, Protocol

import sqlalchemy as sa
from dbos import DBOSClient, DBOSPortableJSONSerializer
from sqlalchemy.exc import DBAPIError

from app.domain.errors import UnavailableError
from app.domain.run import Job
from app.storage.sqlite_engine import sqlite_engine

APPLICATION = "roofladder"
QUEUE = "measuring"
WORKFLOW = "measure_job"


class JobQueue(Protocol):
    """What the web process and the command line ask of the engine."""

    def submit(self, job: Job) -> None:
        """Enqueue the job under its workflow id; twice is harmless.

        Raises UnavailableError when the engine cannot be reached; the job is not lost then, the worker
        enqueues what it finds queued without a workflow.
        """
        ...

    def cancel(self, job: Job) -> None:
        """Stop the job: a queued one never starts, a running one's child is killed within a second.

        The worker sets the running job's final state once the child is dead. Raises UnavailableError.
        """
        ...


class WorkflowState(Enum):
    """What the engine knows of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    ENDED = "ended"
    CANCELLED = "cancelled"
    FAILED = "failed"


_STATES = {
    "ENQUEUED": WorkflowState.WAITING,
    "DELAYED": WorkflowState.WAITING,
    "PENDING": WorkflowState.RUNNING,
    "SUCCESS": WorkflowState.ENDED,
    "CANCELLED": WorkflowState.CANCELLED,
    "ERROR": WorkflowState.FAILED,
    "MAX_RECOVERY_ATTEMPTS_EXCEEDED": WorkflowState.FAILED,
}


class EngineClient:
    """A connection to the engine's database that runs no job itself."""

    def __init__(self, engine: sa.Engine) -> None:
        logging.getLogger("dbos").setLevel(logging.WARNING)
        self._engine = engine
        self._client = DBOSClient(
            system_database_engine=engine,
            application_name=APPLICATION,
            serializer=DBOSPortableJSONSerializer(),
            lazy=True,
            retry_connection_errors=False,
        )

    def submit(self, job: Job) -> None:
        """See `JobQueue.submit`."""
        with _asked():
            self._client.enqueue(
                {"workflow_name": WORKFLOW, "queue_name": QUEUE, "workflow_id": job.workflow_id}, job.id
            )

    def cancel(self, job: Job) -> None:
        """See `JobQueue.cancel`."""
        with _asked():
            if not sa.inspect(self._engine).has_table("workflow_status"):
                return  # no worker ever ran here, so the engine holds no job
            self._client.cancel_workflow(job.workflow_id)

    def states(self, workflow_ids: Sequence[str]) -> dict[str, WorkflowState]:
        """The engine's state of each workflow that it knows."""
        if not workflow_ids:
            return {}
        with _asked():
            found = self._client.list_workflows(
                workflow_ids=list(workflow_ids), load_input=False, load_output=False
            )
        return {workflow.workflow_id: _STATES[workflow.status] for workflow in found}

    def forget_before(self, moment: datetime, *, limit: int = 500) -> int:
        """Delete workflows that ended before `moment`; the job table keeps their story. Returns how many."""
        with _asked():
            old = self._client.list_workflows(
                completed_before=moment.isoformat(), load_input=False, load_output=False, limit=limit
            )
            if old:
                self._client.delete_workflows([workflow.workflow_id for workflow in old])
        return len(old)


def engine_database(url: str) -> sa.Engine:
    """The engine's own database, set up as DBOS needs it. Raises UnavailableError in one line."""
    return sqlite_engine(url, _begin_immediately)


def open_client(engine_url: str) -> JobQueue:
    """The engine for processes that only submit and cancel. Connects when first used."""
    return EngineClient(engine_database(engine_url))


def _begin_immediately(connection: Any) -> None:  # noqa: ANN401 - either driver's connection
    # DBOS sets this only on engines that it makes itself; without it two writers can deadlock.
    connection.isolation_level = "IMMEDIATE"


@contextmanager
def _asked() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise UnavailableError(
            f"The job engine's database cannot be used ({error.orig}). Check that the worker runs and that"
            " the data folder is writable; queued jobs are kept."
        ) from error
