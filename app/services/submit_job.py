"""Submit a job: check it, estimate it, store it, hand it to the engine."""

from __future__ import annotations

from typing import Protocol

from app.domain.run import Job


class JobQueue(Protocol):
    """What a service asks of the job engine."""

    def submit(self, job: Job) -> None:
        """Enqueue the job under its workflow id; twice is harmless."""
        ...

    def cancel(self, job: Job) -> None:
        """Ask the engine to stop the job."""
        ...
