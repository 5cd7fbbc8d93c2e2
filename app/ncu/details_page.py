"""`--page details`: a row a metric and launch, and rows of the tool's rules between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from operator import itemgetter

from app.domain.report import NO_METRICS, LaunchProfile, Metrics, ReportFormat, RuleType, ToolRule
from app.ncu.columns import LAUNCH_COLUMNS, Header
from app.ncu.launch_columns import LaunchColumns
from app.ncu.page import Reading, duration_s
from app.ncu.rows_by_launch import SHORT, RowsByLaunch

TOO_MANY_RULES = "rules of a launch beyond the limit"
NAMELESS = "rows that name neither a metric nor a rule"
TWICE = "One launch lists the same metric twice with different values: both are kept, the first is used."
_RULE_COLUMNS = (
    *("Rule Name", "Rule Type", "Rule Description"),
    *("Estimated Speedup", "Estimated Speedup Type", "Section Name"),
)
_KEY = frozenset({"ID", "Process ID"})
_TYPES = {kind.value: kind for kind in RuleType}


class DetailsReader:
    """Rows of one table in the order they come: a launch ends where another key begins."""

    format = ReportFormat.DETAILS

    def __init__(self, header: Header, reading: Reading) -> None:
        self._reading = reading
        self._launch_columns = LaunchColumns.of(header)
        ahead = header.shared_width
        places = {name: place - ahead for name, place in header.places.items()}
        self._section, self._label = places.get("Section Name"), places.get("Body Item Label")
        self._name, self._unit = places["Metric Name"], places.get("Metric Unit")
        self._width = len(header.cells) - ahead  # the place of an empty cell behind the row
        self._value = places.get("Metric Value", self._width)
        used = (self._section, self._label, self._name, self._unit, self._value)
        self._last = max(place for place in used if place is not None)
        self._rule_cells = itemgetter(*(places.get(name, self._width) for name in _RULE_COLUMNS))
        key = _KEY if "ID" in header.places else LAUNCH_COLUMNS
        keys = [place for name, place in header.places.items() if name in key]
        least = header.places["Metric Name"] + 1
        self._rows = RowsByLaunch(header, keys, least, reading, self._launch)

    def take(self, rows: Sequence[Sequence[str]], shared: Sequence[str] = ()) -> Iterator[LaunchProfile]:
        """The launches that these rows end."""
        return self._rows.take(rows, shared)

    def finish(self) -> LaunchProfile | None:
        """The launch that is open; None before the first."""
        return self._rows.finish()

    def _launch(self, front: Sequence[str], rows: Sequence[Sequence[str]]) -> LaunchProfile:
        name, last = self._name, self._last
        of_metrics = [row for row in rows if row[name] and len(row) > last]
        others = [] if len(of_metrics) == len(rows) else [r for r in rows if not (r[name] and len(r) > last)]
        metrics = self._metrics(of_metrics) if of_metrics else NO_METRICS
        return self._launch_columns.launch(
            (*front, *rows[0]),
            metrics=metrics,
            rules=tuple(self._rules(others)),
            duration_s=duration_s(metrics),
        )

    def _metrics(self, rows: Sequence[Sequence[str]]) -> Metrics:
        names, sections, labels, raw, units = (
            _column(rows, place)
            for place in (self._name, self._section, self._label, self._value, self._unit)
        )
        units = units or ("",) * len(rows)
        cells = self._reading.cell_reader((names, sections, labels))
        if any(raw[first] != raw[again] for first, again in cells.columns.twice):
            self._reading.warn(TWICE)
        return cells.metrics(raw, self._reading.unit_row(units))

    def _rules(self, rows: Sequence[Sequence[str]]) -> Iterator[ToolRule]:
        most = self._reading.limits.rules_per_launch
        for count, row in enumerate(rows):
            cells = self._rule_cells([*row, *[""] * (self._width + 1 - len(row))])
            if not cells[0]:
                self._reading.skipped[SHORT if row[self._name] else NAMELESS] += 1
            elif count >= most:
                self._reading.skipped[TOO_MANY_RULES] += 1
            else:
                yield self._tool_rule(*cells)

    def _tool_rule(self, name: str, kind: str, text: str, speedup: str, scope: str, section: str) -> ToolRule:
        percent = self._reading.numbers[speedup]
        graded = _TYPES.get(kind)
        if graded is None:
            self._reading.warn(
                f"A rule has the type {kind[:40]!r}, which is not known: taken as information."
            )
            graded = RuleType.INFORMATION
        return ToolRule(name, graded, section, text, None if isnan(percent) else percent, scope or None)


def _column(rows: Sequence[Sequence[str]], place: int | None) -> tuple[str, ...]:
    return () if place is None else tuple(map(itemgetter(place), rows))
