"""What the readers of the pages share: the state of one file's reading and the shape of a reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Protocol, TypeAlias

from app.domain.report import Columns, LaunchProfile, Metrics, ReportFormat
from app.ncu.cells import CellReader, UnitRow
from app.ncu.limits import Limits
from app.ncu.numbers import Numbers, NumberStyle

DURATIONS = ("gpu__time_duration.sum", "gpu__time_duration.avg", "Duration")
DEVICE_NAME = "device__attribute_display_name"
NS = 1e-9
ColumnKey: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Names, sections, labels; the latter two empty where the table has no such column."""
_REMEMBERED = 512  # rows of units and of columns that are shared between launches


@dataclass
class Reading:
    """One file on its way: how its numbers are written, what was odd, what was left out."""

    limits: Limits
    style: NumberStyle = field(default_factory=NumberStyle)
    warnings: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    device_attributes: dict[str, dict[str, str]] = field(default_factory=dict)
    kernel: str = ""  # of the source page's block that is open
    file_name: str | None = None

    def __post_init__(self) -> None:
        self.numbers = Numbers(self.style)
        self._units: dict[tuple[str, ...], UnitRow] = {}
        self._last: tuple[ColumnKey, CellReader] | None = None
        self._readers: dict[ColumnKey, CellReader] = {}

    def warn(self, text: str) -> None:
        """Say it once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def cell_reader(self, key: ColumnKey) -> CellReader:
        """What converts launches with these columns, shared between launches that have the same."""
        last = self._last
        if last is not None and last[0] == key:  # no hashing of names that were just read
            return last[1]
        reader = self._readers.get(key)
        if reader is None:
            reader = CellReader(_columns(key), self.style, self.numbers)
            if len(self._readers) < _REMEMBERED:
                self._readers[key] = reader
        self._last = key, reader
        return reader

    def unit_row(self, units: tuple[str, ...]) -> UnitRow:
        """The units of a row, shared between launches that have the same."""
        row = self._units.get(units)
        if row is None:
            row = UnitRow.of(units)
            if len(self._units) < _REMEMBERED:
                self._units[units] = row
        return row


class PageReader(Protocol):
    """Takes the rows of one table; a launch comes back when the row after its last one is taken."""

    format: ReportFormat

    def take(self, rows: Sequence[Sequence[str]], shared: Sequence[str] = ()) -> Iterator[LaunchProfile]:
        """Rows that stand one below the other; the cells `shared` stand in front of each."""

    def finish(self) -> LaunchProfile | None:
        """The table has ended: the launch that was still open."""


def _columns(key: ColumnKey) -> Columns:
    names, sections, labels = key
    nothing: tuple[None, ...] = (None,) * len(names)
    return Columns(names, sections or nothing, labels or nothing)


def duration_s(metrics: Metrics) -> float | None:
    """The launch's time in seconds, whichever name it has in this output; None where its unit is no time.

    A time without a unit is taken as ns where it is whole: the tool's base unit has no fractions.
    """
    for name in DURATIONS:
        for place in metrics.columns.places.get(name, ()):
            value, unit = metrics.base_values[place], metrics.base_units[place]
            if isfinite(value) and (unit == "ns" or (not unit and value.is_integer())):
                return value * NS
    return None
