"""`--page session`: facts of the machine in small tables. The device's are kept, the host's are private."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.domain.report import LaunchProfile, ReportFormat
from app.ncu.columns import Header
from app.ncu.page import Reading

PRIVATE = "rows about the host, its processes and command lines"
TOO_MANY = "device attributes beyond the limit"


class SessionReader:
    """Rows of the table of device attributes; every other table's rows are left out."""

    format = ReportFormat.SESSION

    def __init__(self, header: Header, reading: Reading) -> None:
        self._reading = reading
        self._devices = header.cells[1:] if header.cells[0] == "Device Attribute" else ()

    def take(self, rows: Sequence[Sequence[str]], shared: Sequence[str] = ()) -> Iterator[LaunchProfile]:
        """Attributes, a value for each device; no launch."""
        for cells in rows:
            self._take(cells)
        return iter(())

    def _take(self, cells: Sequence[str]) -> None:
        if not self._devices:
            self._reading.skipped[PRIVATE] += 1
            return
        for device, value in zip(self._devices, cells[1:], strict=False):
            kept = self._reading.device_attributes.setdefault(device, {})
            if len(kept) < self._reading.limits.device_attributes:
                kept[cells[0]] = value
            else:
                self._reading.skipped[TOO_MANY] += 1

    def finish(self) -> LaunchProfile | None:
        """There are no launches."""
        return None
