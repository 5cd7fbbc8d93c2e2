"""The device whose evidence a page or an endpoint shows, and the others to switch to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from app.domain.errors import InvalidInputError
from app.domain.evidence import DeviceCoverage, DeviceEvidence
from app.services.evidence import device_evidence, evidence_devices
from app.storage.store import Store

UUID_TAIL = 4


@dataclass(frozen=True)
class OfferedDevice:
    """A device of the switch. `tail`: the end of its UUID where another one bears the same name, else ""."""

    coverage: DeviceCoverage
    tail: str


@dataclass(frozen=True)
class DeviceChoice:
    """Devices with measurements in the order of the switch, and the evidence of the chosen one."""

    devices: tuple[DeviceCoverage, ...]
    evidence: DeviceEvidence | None

    @property
    def uuid(self) -> str | None:
        """The chosen device's identity."""
        return self.evidence.device.uuid if self.evidence else None

    @property
    def offered(self) -> tuple[OfferedDevice, ...]:
        """The devices, told apart."""
        names = Counter(coverage.device.name for coverage in self.devices)
        return tuple(
            OfferedDevice(one, one.device.uuid[-UUID_TAIL:] if names[one.device.name] > 1 else "")
            for one in self.devices
        )


def choose_device(store: Store, uuid: str | None) -> DeviceChoice:
    """None takes the first. Raises InvalidInputError for a device without measurements, naming those with."""
    devices = evidence_devices(store)
    if uuid is not None and uuid not in {coverage.device.uuid for coverage in devices}:
        known = ", ".join(f"{c.device.uuid} ({c.device.name})" for c in devices) or "none"
        raise InvalidInputError(
            f"Nothing was measured on a device {uuid!r}. Devices with measurements: {known}.", field="device"
        )
    return DeviceChoice(devices, device_evidence(store, uuid))
