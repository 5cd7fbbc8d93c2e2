"""What the readers of the pages share: the state of one file's reading and the shape of a reader."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Protocol

from app.domain.report import Columns, Instance, LaunchProfile, Metrics, ReportFormat
from app.ncu.limits import Limits
from app.ncu.numbers import MISSING, Numbers, NumberStyle, has_instances, instances_of
from app.ncu.units import unit_of

DURATIONS = ("gpu__time_duration.sum", "gpu__time_duration.avg", "Duration")
DEVICE_NAME = "device__attribute_display_name"
NS = 1e-9


@dataclass
class Reading:
    """One file on its way: how its numbers are written, what was odd, what was left out."""

    limits: Limits
    style: NumberStyle = field(default_factory=NumberStyle)
    warnings: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    device_attributes: dict[str, dict[str, str]] = field(default_factory=dict)
    units_seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.numbers = Numbers(self.style)

    def warn(self, text: str) -> None:
        """Say it once."""
        if text not in self.warnings:
            self.warnings.append(text)


class PageReader(Protocol):
    """Takes the rows of one table; a launch comes back when the row after its last one is taken."""

    format: ReportFormat

    def take(self, cells: list[str]) -> LaunchProfile | None:
        """One row."""

    def finish(self) -> LaunchProfile | None:
        """The table has ended: the launch that was still open."""


def metrics_of(columns: Columns, raw: Sequence[str], units: Sequence[str], reading: Reading) -> Metrics:
    """Counters of one launch from its cells and the printed unit of each."""
    numbers = reading.numbers
    values = array("d", map(numbers.__getitem__, raw))
    known = [unit_of(unit) for unit in units]
    scaled = [place for place, unit in enumerate(known) if unit.scale != 1.0]
    for place in scaled:
        values[place] *= known[place].scale
    return Metrics(
        columns=columns,
        raw=raw,
        units=units,
        base_units=[unit.base for unit in known],
        base_values=values,
        scales=[unit.scale for unit in known],
        missing=frozenset(p for p, v in enumerate(values) if isnan(v) and raw[p].strip() in MISSING),
        instances=listed_instances(raw, numbers),
    )


def listed_instances(raw: Sequence[str], numbers: Numbers) -> dict[int, tuple[Instance, ...]]:
    """The lists of instances among the cells, by position."""
    return {
        place: instances_of(cell, numbers)
        for place, cell in enumerate(raw)
        if cell.endswith(")") and has_instances(cell)
    }


def duration_s(metrics: Metrics) -> float | None:
    """The launch's time in seconds, whichever name it has in this output."""
    for name in DURATIONS:
        found = metrics.number(name)
        if found is not None:
            return found * NS
    return None
