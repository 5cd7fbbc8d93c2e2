"""The devices that workers drive, with the age of what is known of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from app.domain.device import WorkerSnapshot
from app.storage.store import Store

STALE_AFTER_S = 180.0


@dataclass(frozen=True)
class DeviceView:
    """One worker's device; `is_stale` once the worker missed three of its minutely snapshots."""

    snapshot: WorkerSnapshot
    age_s: float

    @property
    def is_stale(self) -> bool:
        """Whether the worker is likely gone."""
        return self.age_s > STALE_AFTER_S


def list_devices(store: Store, now: datetime | None = None) -> tuple[DeviceView, ...]:
    """Devices of all workers that ever reported, newest word first."""
    at = now or datetime.now(UTC)
    return tuple(
        DeviceView(snapshot, max(0.0, (at - snapshot.seen_at).total_seconds()))
        for snapshot in store.workers()
    )
