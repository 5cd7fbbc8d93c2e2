"""Counters of one launch from its cells, a whole row at a time.

An export of every metric has 2,200 cells a launch, so the row is converted in one go; the few columns that
hold text, lists or nothing are learnt as they turn up and read one by one.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan
from typing import TypeAlias

from app.domain.report import Columns, Instance, Metrics
from app.ncu.numbers import MISSING, Numbers, NumberStyle, has_instances, instances_of
from app.ncu.packed_cells import PackedCells
from app.ncu.units import unit_of

_BETWEEN = "\x1f"
Read: TypeAlias = "tuple[array[float], frozenset[int]]"
"""Values in the printed unit, NaN where there is none; the columns where the tool has none."""


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

    def metrics(self, raw: Sequence[str], units: UnitRow) -> Metrics:
        """The counters in base units."""
        read = self._packed(raw) if isinstance(raw, PackedCells) else None
        instances: Mapping[int, tuple[Instance, ...]] = {}
        if read is None:
            read = self._together(raw) or self._one_by_one(raw)
            instances = self._instances(raw, units)
        values, missing = read
        for place in units.scaled:
            values[place] *= units.scales[place]
        return Metrics(
            columns=self.columns,
            raw=raw,
            units=units.printed,
            base_units=units.base,
            base_values=values,
            scales=units.scales,
            missing=missing,
            instances=instances,
        )

    def _packed(self, raw: PackedCells) -> Read | None:
        """All cells at once, without splitting the text as it was printed."""
        cells = self._cleaned(raw.joined(_BETWEEN))
        if cells is None or len(cells) != len(raw):
            return None
        apart = {place: cells[place] for place in self._apart}
        for place in apart:
            cells[place] = "0"
        return self._read(cells, apart)

    def _together(self, raw: Sequence[str]) -> Read | None:
        """All cells at once; None where one of them is not a plain number of the file's convention."""
        cells = list(raw)
        for place in self._apart:
            cells[place] = "0"
        cleaned = self._cleaned(_BETWEEN.join(cells))
        if cleaned is None or len(cleaned) != len(cells):
            return None
        return self._read(cleaned, {place: raw[place] for place in self._apart})

    def _cleaned(self, text: str) -> list[str] | None:
        """The cells as float() takes them; None where one is a list, or of another convention."""
        style = self._style
        if style.thousands in text and style.misplaced.search(_BETWEEN + text):
            return None
        if "(" in text or "_" in text:  # float() takes 1_000 for a number; lists need their own reading
            return None
        text = text.replace(style.thousands, "")
        if style.decimal != ".":
            text = text.replace(style.decimal, ".")
        return text.split(_BETWEEN)

    def _read(self, cells: list[str], apart: Mapping[int, str]) -> Read | None:
        try:
            values = array("d", map(float, cells))
        except ValueError:
            return None
        if not isfinite(sum(values)):
            return None
        for place, cell in apart.items():
            values[place] = self._numbers[cell]
        return values, _missing(values, apart)

    def _one_by_one(self, raw: Sequence[str]) -> Read:
        values = array("d", map(self._numbers.__getitem__, raw))
        self._apart.update(
            place for place, value in enumerate(values) if isnan(value) or raw[place].endswith(")")
        )
        return values, _missing(values, {place: raw[place] for place in self._apart})

    def _instances(self, raw: Sequence[str], units: UnitRow) -> dict[int, tuple[Instance, ...]]:
        """The lists of instances among the cells, by position, in base units."""
        found = {}
        for place in self._apart:
            if has_instances(raw[place]):
                parts, scale = instances_of(raw[place], self._numbers), units.scales[place]
                found[place] = (
                    parts if scale == 1.0 else tuple(Instance(part.key, part.value * scale) for part in parts)
                )
        return found


def _missing(values: array[float], apart: Mapping[int, str]) -> frozenset[int]:
    return frozenset(
        place for place, cell in apart.items() if isnan(values[place]) and cell.strip() in MISSING
    )
