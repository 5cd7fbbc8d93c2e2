"""This machine: why can't it do X? From the worker's own snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.domain.device import Capability, WorkerSnapshot
from app.services.attention import WORKER_SILENT
from app.storage.store import Store


@dataclass(frozen=True)
class MachineView:
    """The newest snapshot of each worker; missing capabilities first."""

    workers: tuple[WorkerSnapshot, ...]
    now: datetime

    @property
    def worker(self) -> WorkerSnapshot | None:
        """The newest one."""
        return self.workers[0] if self.workers else None

    @property
    def silent(self) -> bool:
        """Whether the newest worker has not been heard of for minutes."""
        return self.worker is not None and self.now - self.worker.seen_at > WORKER_SILENT

    @property
    def missing(self) -> tuple[Capability, ...]:
        """What cannot be done here."""
        return tuple(c for c in self.worker.capabilities if not c.ok) if self.worker else ()

    @property
    def present(self) -> tuple[Capability, ...]:
        """What can."""
        return tuple(c for c in self.worker.capabilities if c.ok) if self.worker else ()


def machine_view(store: Store, now: datetime) -> MachineView:
    """Read the snapshots."""
    return MachineView(tuple(store.workers()), now)
