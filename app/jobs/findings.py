"""Writes what a child found into the store, message by message, so that nothing is lost with the child."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from app.domain.child_messages import (
    CeilingMeasured,
    CellEnded,
    ChildMessage,
    DuelFought,
    Measured,
    Probed,
    SourceUsed,
)
from app.domain.device import DeviceState, WorkerSnapshot
from app.storage.store import Store


class Findings:
    """Keeps one run's findings."""

    def __init__(self, store: Store, run_id: int, worker_id: str) -> None:
        self._store = store
        self._run_id = run_id
        self._worker_id = worker_id
        self._handlers: dict[type, Callable[[Any], None]] = {
            Probed: self._probed,
            CeilingMeasured: lambda m: store.add_ceiling(run_id, m.ceiling),
            Measured: lambda m: store.add_measurement(run_id, m.measurement, m.samples),
            DuelFought: lambda m: store.add_duel(run_id, m.duel),
            CellEnded: lambda m: store.add_outcome(run_id, m.outcome),
            SourceUsed: lambda m: store.add_source(run_id, m.sha256, m.text),
        }

    def take(self, message: ChildMessage) -> None:
        """Write it, if it is a finding. Raises UnavailableError."""
        handler = self._handlers.get(type(message))
        if handler is not None:
            handler(message)

    def _probed(self, message: Probed) -> None:
        self._store.set_run_device(self._run_id, snapshot_of(message, self._worker_id))


def snapshot_of(probed: Probed, worker_id: str) -> WorkerSnapshot:
    """What a probe tells, as a worker's snapshot of now."""
    now = datetime.now(UTC)
    return WorkerSnapshot(
        worker_id=worker_id,
        seen_at=now,
        device=probed.device,
        state=probed.state or DeviceState(at=now),
        environment=probed.environment,
        capabilities=probed.capabilities,
    )
