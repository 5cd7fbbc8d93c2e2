"""Counters of one launch from its cells, a whole row at a time.

An export of every metric has 2,200 cells a launch, so the row is converted in one go; the few columns that
hold text, lists or nothing are learnt as they turn up and read one by one.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from math import isfinite, isnan

from app.domain.report import Columns, Instance, Metrics
from app.ncu.numbers import MISSING, Numbers, NumberStyle, has_instances, instances_of
from app.ncu.units import unit_of

_BETWEEN = "\x1f"


@dataclass(frozen=True)
class UnitRow:
    """The units of a row of cells as printed, their base units, and the factors between."""

    printed: tuple[str, ...]
    base: tuple[str, ...]
    scales: tuple[float, ...]
    scaled: tuple[int, ...]  # where the factor is not 1

    @classmethod
    def of(cls, printed: tuple[str, ...]) -> UnitRow:
        """For these units."""
        known = [unit_of(unit) for unit in printed]
        return cls(
            printed,
            tuple(unit.base for unit in known),
            tuple(unit.scale for unit in known),
            tuple(place for place, unit in enumerate(known) if unit.scale != 1.0),
        )


class CellReader:
    """Converts the rows of launches that have the same columns."""

    def __init__(self, columns: Columns, style: NumberStyle, numbers: Numbers) -> None:
        self.columns = columns
        self._style, self._numbers = style, numbers
        self._apart: set[int] = set()  # columns that are read cell by cell

    def metrics(self, raw: tuple[str, ...], units: UnitRow) -> Metrics:
        """The counters in base units."""
        values = self._together(raw) or self._one_by_one(raw)
        for place in units.scaled:
            values[place] *= units.scales[place]
        return Metrics(
            columns=self.columns,
            raw=raw,
            units=units.printed,
            base_units=units.base,
            base_values=values,
            scales=units.scales,
            missing=frozenset(
                place for place in self._apart if isnan(values[place]) and raw[place].strip() in MISSING
            ),
            instances=self._instances(raw, units),
        )

    def _together(self, raw: tuple[str, ...]) -> array[float] | None:
        """All cells at once; None where one of them is not a plain number of the file's convention."""
        cells = list(raw)
        for place in self._apart:
            cells[place] = "0"
        text = _BETWEEN.join(cells)
        style = self._style
        if style.thousands in text and style.misplaced.search(_BETWEEN + text):
            return None
        text = text.replace(style.thousands, "")
        if style.decimal != ".":
            text = text.replace(style.decimal, ".")
        if "(" in text or "_" in text:  # float() takes 1_000 for a number; lists need their own reading
            return None
        try:
            values = array("d", map(float, text.split(_BETWEEN)))
        except ValueError:
            return None
        if len(values) != len(raw) or not isfinite(sum(values)):
            return None
        for place in self._apart:
            values[place] = self._numbers[raw[place]]
        return values

    def _one_by_one(self, raw: tuple[str, ...]) -> array[float]:
        values = array("d", map(self._numbers.__getitem__, raw))
        self._apart.update(
            place for place, value in enumerate(values) if isnan(value) or raw[place].endswith(")")
        )
        return values

    def _instances(self, raw: tuple[str, ...], units: UnitRow) -> dict[int, tuple[Instance, ...]]:
        """The lists of instances among the cells, by position, in base units."""
        found = {}
        for place in self._apart:
            if has_instances(raw[place]):
                parts, scale = instances_of(raw[place], self._numbers), units.scales[place]
                found[place] = (
                    parts if scale == 1.0 else tuple(Instance(part.key, part.value * scale) for part in parts)
                )
        return found
