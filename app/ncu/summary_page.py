"""`--print-summary`: minimum, maximum and average of each metric over the launches of a kernel."""

from __future__ import annotations

from array import array
from dataclasses import replace

from app.domain.report import Columns, Instance, LaunchProfile, Metrics, ReportFormat
from app.ncu.columns import LAUNCH_COLUMNS, Header
from app.ncu.launch_columns import LaunchColumns
from app.ncu.page import Reading, duration_s, metrics_of

CUT = "rows without an average (cut off)"


class SummaryReader:
    """A launch stands for all that were summed up; its values are averages, the extremes are instances."""

    format = ReportFormat.SUMMARY

    def __init__(self, header: Header, reading: Reading) -> None:
        places = header.places
        self._reading = reading
        self._launch_columns = LaunchColumns.of(header)
        self._key_places = [place for name, place in places.items() if name in LAUNCH_COLUMNS]
        self._section, self._name = places.get("Section Name"), places["Metric Name"]
        self._unit = places["Metric Unit"]
        self._extremes = {name.lower(): places[name] for name in ("Minimum", "Maximum") if name in places}
        self._average = places["Average"]
        self._key: list[str] | None = None
        self._rows: list[list[str]] = []

    def take(self, cells: list[str]) -> LaunchProfile | None:
        """One metric of one kernel."""
        if len(cells) <= self._average:
            self._reading.skipped[CUT] += 1
            return None
        key = [cells[place] for place in self._key_places]
        done = self.finish() if key != self._key else None
        self._key = key
        self._rows.append(cells)
        return done

    def finish(self) -> LaunchProfile | None:
        """The kernel that is open."""
        if not self._rows:
            return None
        rows, self._rows = self._rows, []
        metrics = self._metrics(rows)
        return replace(self._launch_columns.launch(rows[0]), metrics=metrics, duration_s=duration_s(metrics))

    def _metrics(self, rows: list[list[str]]) -> Metrics:
        names = tuple(row[self._name] for row in rows)
        nothing: tuple[None, ...] = (None,) * len(rows)
        sections = nothing if self._section is None else tuple(row[self._section] for row in rows)
        averages = metrics_of(
            Columns(names, sections, nothing),
            tuple(row[self._average] for row in rows),
            tuple(row[self._unit] for row in rows),
            self._reading,
        )
        extremes = {place: self._ends(row, averages.scales[place]) for place, row in enumerate(rows)}
        return replace(averages, instances={place: ends for place, ends in extremes.items() if ends})

    def _ends(self, row: list[str], scale: float) -> tuple[Instance, ...]:
        values = array("d", (self._reading.numbers[row[place]] for place in self._extremes.values()))
        named = zip(self._extremes, values, strict=True)
        return tuple(Instance(name, value * scale) for name, value in named if value == value)
