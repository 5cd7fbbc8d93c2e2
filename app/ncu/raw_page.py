"""`--page raw`: a row a launch, a column a metric, and one row of units below the head."""

from __future__ import annotations

from dataclasses import replace

from app.domain.report import Columns, LaunchProfile, ReportFormat
from app.ncu.columns import Header
from app.ncu.launch_columns import LaunchColumns
from app.ncu.page import DEVICE_NAME, Reading, duration_s, metrics_of

SHORT_ROWS = "cells at the end of a row that was cut off"
TOO_WIDE = "columns beyond the limit"


class RawReader:
    """One launch a row. Units hold for the whole table."""

    format = ReportFormat.RAW

    def __init__(self, header: Header, reading: Reading) -> None:
        self._reading = reading
        self._launch_columns = LaunchColumns.of(header)
        self._from, self._to = header.launch_width, min(len(header.cells), reading.limits.columns)
        if len(header.cells) > self._to:
            reading.skipped[TOO_WIDE] += len(header.cells) - self._to
        names = header.cells[self._from : self._to]
        nothing: tuple[None, ...] = (None,) * len(names)
        self._columns = Columns(names, nothing, nothing)
        self._units: tuple[str, ...] = ("",) * len(names)

    def take(self, cells: list[str]) -> LaunchProfile | None:
        """The row of units, or a launch."""
        if not any(cells[: self._from]):
            self._units = self._values(cells)
            return None
        metrics = metrics_of(self._columns, self._values(cells), self._units, self._reading)
        device = metrics.find(DEVICE_NAME)
        return replace(
            self._launch_columns.launch(cells),
            metrics=metrics,
            duration_s=duration_s(metrics),
            device_name=None if device is None else device.raw,
        )

    def _values(self, cells: list[str]) -> tuple[str, ...]:
        values = tuple(cells[self._from : self._to])
        lacking = self._to - self._from - len(values)
        if lacking:
            self._reading.skipped[SHORT_ROWS] += lacking
        return values + ("",) * lacking

    def finish(self) -> LaunchProfile | None:
        """Nothing stays open."""
        return None
