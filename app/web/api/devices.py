"""GET /devices: the devices that workers drive."""

from __future__ import annotations

from datetime import datetime

from fastapi import APIRouter
from pydantic import BaseModel, Field

from app.domain.device import Capability, Device, DeviceState, Environment
from app.services.devices import DeviceView, list_devices
from app.web.api.paging import Page
from app.web.dependencies import StoreDep

router = APIRouter(prefix="/devices", tags=["devices"])


class DeviceOut(BaseModel):
    """A worker's device as it was when the worker last wrote. null is "not readable here"."""

    worker_id: str
    seen_at: datetime
    age_s: float = Field(description="Seconds since the worker last wrote.")
    stale: bool = Field(description="The worker missed three snapshots; it is likely gone.")
    device: Device
    state: DeviceState
    environment: Environment
    capabilities: list[Capability] = Field(description="What can be done here, and the fix where it cannot.")

    @classmethod
    def of(cls, view: DeviceView) -> DeviceOut:
        """The device as the interface gives it."""
        snapshot = view.snapshot
        return cls(
            worker_id=snapshot.worker_id,
            seen_at=snapshot.seen_at,
            age_s=view.age_s,
            stale=view.is_stale,
            device=snapshot.device,
            state=snapshot.state,
            environment=snapshot.environment,
            capabilities=list(snapshot.capabilities),
        )


@router.get("")
def devices(store: StoreDep) -> Page[DeviceOut]:
    """Devices, the newest word first."""
    return Page(items=[DeviceOut.of(view) for view in list_devices(store)], next=None)
