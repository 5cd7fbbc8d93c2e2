"""`--page session`: facts of the machine in small tables. The device's are kept, the host's are private."""

from __future__ import annotations

from app.domain.report import LaunchProfile, ReportFormat
from app.ncu.columns import Header
from app.ncu.page import Reading

PRIVATE = "rows about the host, its processes and command lines"


class SessionReader:
    """Rows of the table of device attributes; every other table's rows are left out."""

    format = ReportFormat.SESSION

    def __init__(self, header: Header, reading: Reading) -> None:
        self._reading = reading
        self._devices = header.cells[1:] if header.cells[0] == "Device Attribute" else ()

    def take(self, cells: list[str]) -> LaunchProfile | None:
        """One attribute, a value for each device."""
        if not self._devices:
            self._reading.skipped[PRIVATE] += 1
            return None
        for device, value in zip(self._devices, cells[1:], strict=False):
            self._reading.device_attributes.setdefault(device, {})[cells[0]] = value
        return None

    def finish(self) -> LaunchProfile | None:
        """There are no launches."""
        return None
