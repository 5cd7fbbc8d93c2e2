"""`--page raw`: a row a launch, a column a metric, and one row of units below the head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.domain.report import LaunchProfile, ReportFormat
from app.ncu.cells import UnitRow
from app.ncu.columns import Header
from app.ncu.launch_columns import LaunchColumns
from app.ncu.page import DEVICE_NAME, Reading, duration_s

SHORT_ROWS = "cells at the end of a row that was cut off"
NO_LAUNCH = "rows cut off within the columns of the launch"
TOO_WIDE = "columns beyond the limit"
FOREIGN = "columns that describe neither a launch nor a metric"
NO_UNITS = (
    "The row of units below the head is missing: values are taken as base units (ns, byte, hz), as "
    "`--print-units base` prints them."
)


class RawReader:
    """One launch a row. Units hold for the whole table."""

    format = ReportFormat.RAW

    def __init__(self, header: Header, reading: Reading) -> None:
        self._reading = reading
        self._launch_columns = LaunchColumns.of(header)
        self._from, self._to = header.launch_width, len(header.cells) - header.beyond
        if header.beyond:
            reading.skipped[TOO_WIDE] += header.beyond
        if header.foreign_count:
            reading.skipped[FOREIGN] += header.foreign_count
        self._cells = reading.cell_reader((header.cells[self._from : self._to], (), ()))
        self._units: UnitRow | None = None

    def take(self, rows: list[list[str]], shared: Sequence[str] = ()) -> Iterator[LaunchProfile]:
        """A launch a row; the row of units is none."""
        for cells in rows:
            if len(cells) < self._from:
                self._reading.skipped[NO_LAUNCH] += 1
            elif self._launch_columns.is_blank(cells):
                self._units = self._reading.unit_row(self._values(cells))
            else:
                yield self._launch(cells)

    def _launch(self, cells: list[str]) -> LaunchProfile:
        if self._units is None:
            self._reading.warn(NO_UNITS)
            self._units = self._reading.unit_row(("",) * (self._to - self._from))
        metrics = self._cells.metrics(self._values(cells), self._units)
        device = metrics.find(DEVICE_NAME)
        return self._launch_columns.launch(
            cells,
            metrics=metrics,
            duration_s=duration_s(metrics),
            device_name=None if device is None else device.raw,
        )

    def _values(self, cells: list[str]) -> tuple[str, ...]:
        values = tuple(cells[self._from : self._to])
        lacking = self._to - self._from - len(values)
        if lacking:
            self._reading.skipped[SHORT_ROWS] += lacking
            values += ("",) * lacking
        return values

    def finish(self) -> LaunchProfile | None:
        """Nothing stays open."""
        return None
