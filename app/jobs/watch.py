"""Why a running job has to stop: asked several times a second while its child works."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from app.domain.errors import UnavailableError
from app.domain.run import Job
from app.jobs.engine import EngineClient, WorkflowState

logger = logging.getLogger(__name__)


class JobInterrupted(Exception):  # noqa: N818 - not a fault: somebody or something asked for it
    """The job stops before its end."""


class JobCancelled(JobInterrupted):
    """Somebody cancelled it."""


class DeadlinePassed(JobInterrupted):
    """It took longer than it was given."""


class WorkerStopping(JobInterrupted):
    """The worker was told to end; the job goes on when the next one starts."""


class Watch:
    """Looks at one job's clock, the engine's state of it, and whether the worker is to end."""

    def __init__(
        self, job: Job, engine: EngineClient, stopping: Callable[[], bool], cancel_poll_s: float
    ) -> None:
        self._job = job
        self._engine = engine
        self._stopping = stopping
        self._cancel_poll_s = cancel_poll_s
        self._ends_s = time.monotonic() + job.deadline_s
        self._asked_s = 0.0

    def check(self) -> None:
        """Raise the JobInterrupted that applies, if one does."""
        if self._stopping():
            raise WorkerStopping
        if time.monotonic() > self._ends_s:
            raise DeadlinePassed
        if time.monotonic() - self._asked_s > self._cancel_poll_s:
            self._asked_s = time.monotonic()
            if self._state() is WorkflowState.CANCELLED:
                raise JobCancelled

    def _state(self) -> WorkflowState | None:
        try:
            return self._engine.states([self._job.workflow_id]).get(self._job.workflow_id)
        except UnavailableError as error:
            # A busy engine is no reason to lose a measurement; the next look is soon.
            logger.warning("Job %d: %s", self._job.id, error.message)
            return None
