"""What a worker measures with, and when it gives up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from app.domain.vocabulary import BackendName
from app.jobs.child import ChildCommand


@dataclass(frozen=True)
class Limits:
    """When a job is given up. Seconds."""

    attempts: int = 3  # starts of one job; each but the last ended with its worker
    child_restarts: int = 3
    silence_s: float = 120.0  # a child that says nothing for so long hangs
    read_wait_s: float = 0.2
    cancel_poll_s: float = 0.5
    lock_poll_s: float = 0.5


@dataclass(frozen=True)
class Bench:
    """Where and with what this worker measures."""

    worker_id: str
    device_uuid: Callable[[BackendName], str]  # raises DeviceUnavailableError
    cache_dir: str
    command: ChildCommand = field(default_factory=ChildCommand)
    limits: Limits = field(default_factory=Limits)
    lock_folder: Path | None = None  # the system's folder for temporary files
