"""The device whose evidence a page or an endpoint shows, and the others to switch to."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.errors import InvalidInputError
from app.domain.evidence import DeviceCoverage, DeviceEvidence
from app.services.evidence import device_evidence, evidence_devices
from app.storage.store import Store


@dataclass(frozen=True)
class DeviceChoice:
    """Devices with measurements in the order of the switch, and the evidence of the chosen one."""

    devices: tuple[DeviceCoverage, ...]
    evidence: DeviceEvidence | None

    @property
    def uuid(self) -> str | None:
        """The chosen device's identity."""
        return self.evidence.device.uuid if self.evidence else None


def choose_device(store: Store, uuid: str | None) -> DeviceChoice:
    """None takes the first. Raises InvalidInputError for a device without measurements, naming those with."""
    devices = evidence_devices(store)
    if uuid is not None and uuid not in {coverage.device.uuid for coverage in devices}:
        known = ", ".join(f"{c.device.uuid} ({c.device.name})" for c in devices) or "none"
        raise InvalidInputError(
            f"Nothing was measured on a device {uuid!r}. Devices with measurements: {known}.", field="device"
        )
    return DeviceChoice(devices, device_evidence(store, uuid))
