"""`--page raw`: a row a launch, a column a metric, and one row of units below the head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.domain.report import LaunchProfile, ReportFormat
from app.ncu.cells import UnitRow
from app.ncu.columns import Header
from app.ncu.launch_columns import LaunchColumns
from app.ncu.numbers import MISSING
from app.ncu.packed_cells import PackedCells
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
        self._device = next(iter(self._cells.columns.places.get(DEVICE_NAME, ())), None)
        self._units: UnitRow | None = None

    def take(self, rows: Sequence[Sequence[str]], shared: Sequence[str] = ()) -> Iterator[LaunchProfile]:
        """A launch a row; the row of units is none."""
        for cells in rows:
            front, values = (shared, cells) if shared else (cells[: self._from], cells[self._from : self._to])
            if len(front) < self._from:
                self._reading.skipped[NO_LAUNCH] += 1
            elif self._launch_columns.is_blank(front):
                self._units = self._reading.unit_row(tuple(self._filled(values)))
            else:
                yield self._launch(front, self._filled(values))

    def _launch(self, front: Sequence[str], values: Sequence[str]) -> LaunchProfile:
        if self._units is None:
            self._reading.warn(NO_UNITS)
            self._units = self._reading.unit_row(("",) * (self._to - self._from))
        metrics = self._cells.metrics(values, self._units)
        return self._launch_columns.launch(
            front, metrics=metrics, duration_s=duration_s(metrics), device_name=self._device_name(values)
        )

    def _device_name(self, values: Sequence[str]) -> str | None:
        place = self._device
        if place is None:
            return None
        name = values.peek(place) if isinstance(values, PackedCells) else values[place]
        return None if name in MISSING else name

    def _filled(self, values: Sequence[str]) -> Sequence[str]:
        lacking = self._to - self._from - len(values)
        if not lacking:
            return values
        self._reading.skipped[SHORT_ROWS] += lacking
        return (*values, *("",) * lacking)

    def finish(self) -> LaunchProfile | None:
        """Nothing stays open."""
        return None
