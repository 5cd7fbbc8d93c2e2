"""`--page details`: a row a metric and launch, and rows of the tool's rules between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.domain.report import Columns, LaunchProfile, ReportFormat, RuleType, ToolRule
from app.ncu.columns import Header
from app.ncu.launch_columns import LaunchColumns
from app.ncu.page import Reading, duration_s, metrics_of

NO_VALUE = "rows without a value column (cut off)"
TOO_MANY_RULES = "rules of a launch beyond the limit"
_TYPES = {kind.value: kind for kind in RuleType}


class DetailsReader:
    """Rows of one table in the order they come: a launch ends where another key begins."""

    format = ReportFormat.DETAILS

    def __init__(self, header: Header, reading: Reading) -> None:
        places = header.places
        self._reading = reading
        self._launch_columns = LaunchColumns.of(header)
        self._section, self._label = places.get("Section Name"), places.get("Body Item Label")
        self._name, self._unit = places["Metric Name"], places.get("Metric Unit")
        self._value = places.get("Metric Value")
        self._rule = [places.get(name) for name in ("Rule Name", "Rule Type", "Rule Description")]
        self._speedup = [places.get(name) for name in ("Estimated Speedup", "Estimated Speedup Type")]
        self._key_places = [p for p in (places.get("ID"), places.get("Process ID")) if p is not None]
        self._key_places = self._key_places or [places["Kernel Name"]]
        self._shared: dict[tuple[tuple[str, ...], ...], Columns] = {}
        self._key: list[str] | None = None
        self._seen: set[tuple[str, ...]] = set()
        self._clear()

    def _clear(self) -> None:
        self._first: list[str] = []
        self._names: list[str] = []
        self._sections: list[str] = []
        self._labels: list[str] = []
        self._units: list[str] = []
        self._raw: list[str] = []
        self._rules: list[ToolRule] = []

    def take(self, cells: list[str]) -> LaunchProfile | None:
        """A metric, a rule, or the first row of the next launch."""
        if len(cells) <= self._name:
            self._reading.skipped[NO_VALUE] += 1
            return None
        key = [cells[place] for place in self._key_places]
        done = None
        if key != self._key:
            done = self.finish()
            self._begin(key, cells)
        if cells[self._name]:
            self._take_metric(cells)
        else:
            self._take_rule(cells)
        return done

    def _begin(self, key: list[str], cells: list[str]) -> None:
        self._key, self._first = key, cells
        if tuple(key) in self._seen:
            self._reading.warn(
                "Rows of one launch stand apart in this file: it is listed once for each place."
            )
        self._seen.add(tuple(key))

    def _take_metric(self, cells: list[str]) -> None:
        if self._value is None or len(cells) <= self._value:
            self._reading.skipped[NO_VALUE] += 1
            return
        self._names.append(cells[self._name])
        self._raw.append(cells[self._value])
        self._units.append(cells[self._unit] if self._unit is not None else "")
        if self._section is not None:
            self._sections.append(cells[self._section])
        if self._label is not None:
            self._labels.append(cells[self._label])

    def _take_rule(self, cells: list[str]) -> None:
        name, kind, text = (_cell(cells, place) for place in self._rule)
        if not name:
            return
        if len(self._rules) >= self._reading.limits.rules_per_launch:
            self._reading.skipped[TOO_MANY_RULES] += 1
            return
        speedup, scope = (_cell(cells, place) for place in self._speedup)
        percent = self._reading.numbers[speedup]
        self._rules.append(
            ToolRule(
                name=name,
                type=_TYPES.get(kind, RuleType.INFORMATION),
                section=_cell(cells, self._section),
                text=text,
                speedup_percent=percent if percent == percent else None,
                speedup_scope=scope or None,
            )
        )

    def finish(self) -> LaunchProfile | None:
        """The launch that is open; None before the first."""
        if self._key is None:
            return None
        metrics = metrics_of(self._columns(), tuple(self._raw), tuple(self._units), self._reading)
        launch = replace(
            self._launch_columns.launch(self._first),
            metrics=metrics,
            rules=tuple(self._rules),
            duration_s=duration_s(metrics),
        )
        self._key = None
        self._clear()
        return launch

    def _columns(self) -> Columns:
        """The launch's columns, shared with the launches before that have the same."""
        key = tuple(self._names), tuple(self._sections), tuple(self._labels)
        nothing: tuple[None, ...] = (None,) * len(self._names)
        if key not in self._shared:
            self._shared[key] = Columns(key[0], key[1] or nothing, key[2] or nothing)
        return self._shared[key]


def _cell(cells: Sequence[str], place: int | None) -> str:
    return cells[place] if place is not None and place < len(cells) else ""
