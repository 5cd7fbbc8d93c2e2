"""`--print-summary`: minimum, maximum and average of each metric over the launches of a kernel."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter

from app.domain.report import Instance, LaunchProfile, Metrics, ReportFormat
from app.ncu.columns import LAUNCH_COLUMNS, Header
from app.ncu.launch_columns import LaunchColumns
from app.ncu.page import Reading, duration_s
from app.ncu.rows_by_launch import RowsByLaunch


class SummaryReader:
    """A launch stands for all that were summed up; its values are averages, the extremes are instances."""

    format = ReportFormat.SUMMARY

    def __init__(self, header: Header, reading: Reading) -> None:
        ahead = header.shared_width
        places = {name: place - ahead for name, place in header.places.items()}
        self._reading = reading
        self._launch_columns = LaunchColumns.of(header)
        self._section, self._name = places.get("Section Name"), places["Metric Name"]
        self._unit, self._average = places["Metric Unit"], places["Average"]
        self._extremes = {name.lower(): places[name] for name in ("Minimum", "Maximum") if name in places}
        keys = [place for name, place in header.places.items() if name in LAUNCH_COLUMNS]
        least = (
            ahead
            + max(self._average, self._name, self._unit, self._section or 0, *self._extremes.values())
            + 1
        )
        self._rows = RowsByLaunch(header, keys, least, reading, self._launch)

    def take(self, rows: Sequence[Sequence[str]], shared: Sequence[str] = ()) -> Iterator[LaunchProfile]:
        """The kernels that these rows end."""
        return self._rows.take(rows, shared)

    def finish(self) -> LaunchProfile | None:
        """The kernel that is open."""
        return self._rows.finish()

    def _launch(self, front: Sequence[str], rows: Sequence[Sequence[str]]) -> LaunchProfile:
        metrics = self._metrics(rows)
        return self._launch_columns.launch(
            (*front, *rows[0]), metrics=metrics, duration_s=duration_s(metrics)
        )

    def _metrics(self, rows: Sequence[Sequence[str]]) -> Metrics:
        sections = () if self._section is None else tuple(row[self._section] for row in rows)
        names, averages_printed, units = (
            tuple(map(itemgetter(place), rows)) for place in (self._name, self._average, self._unit)
        )
        cells = self._reading.cell_reader((names, sections, ()))
        averages = cells.metrics(averages_printed, self._reading.unit_row(units))
        extremes = {place: self._ends(row, averages.scales[place]) for place, row in enumerate(rows)}
        return replace(averages, instances={place: ends for place, ends in extremes.items() if ends})

    def _ends(self, row: Sequence[str], scale: float) -> tuple[Instance, ...]:
        values = array("d", (self._reading.numbers[row[place]] for place in self._extremes.values()))
        named = zip(self._extremes, values, strict=True)
        return tuple(Instance(name, value * scale) for name, value in named if value == value)
