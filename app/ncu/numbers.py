"""Numbers as printed: `1,234,567.89`, `1234567.89`, `2.508.800`, `65,77`, `1 234,5`, `n/a`, `nan`, lists.

Which sign groups thousands depends on the locale of the machine that printed, so it is decided once for a
file, from cells that can mean one thing only, and reported. A cell that does not fit has no value: a wrong
number is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, nan

from app.domain.report import Instance

MISSING = frozenset({"", "n/a", "N/A", "-", "no data", "(!) n/a"})
_REMEMBERED = 100_000  # distinct cells whose numbers are kept; the rest are read again
_LONGEST = 64  # characters; no number is longer

_GROUPED = r"-?\d{1,3}(?:%s\d{3})+"
_COMMA_GROUPS = re.compile(rf"{_GROUPED % ','}\.\d+|-?\d{{1,3}}(?:,\d{{3}}){{2,}}")
_DOT_GROUPS = re.compile(rf"{_GROUPED % re.escape('.')},\d+|-?\d{{1,3}}(?:\.\d{{3}}){{2,}}")
_COMMA_DECIMAL = re.compile(r"-?\d+,(?:\d{1,2}|\d{4,})|-?(?:\d{4,}|0),\d+")
_DOT_DECIMAL = re.compile(r"-?\d+\.(?:\d{1,2}|\d{4,})|-?(?:\d{4,}|0)\.\d+")
_OTHER_GROUPS = re.compile("-?\\d{1,3}(?:([ '\u00a0\u202f\u2019])\\d{3})(?:\\1\\d{3})*(?:[.,]\\d+)?")
_LIKE_NUMBER = re.compile(r"[-+]?\d[\d.,'\s]*")


@dataclass(frozen=True)
class NumberStyle:
    """The signs of one file. contradictory: cells of both kinds were seen, the commoner kind was chosen."""

    thousands: str = ","
    decimal: str = "."
    contradictory: bool = False

    @cached_property
    def misplaced(self) -> re.Pattern[str]:
        """A thousands sign that groups no three digits, or stands behind the decimal sign.

        Searched in text that has a character in front of the first number.
        """
        sign, point = re.escape(self.thousands), re.escape(self.decimal)
        return re.compile(rf"{sign}(?:(?!\d{{3}}(?!\d))|(?<=[\d{point}]{{4}}{sign})|(?<![^{point}]\d{sign}))")


def style_of(cells: Iterable[str]) -> NumberStyle:
    """The convention that the cells tell of; the tool's own, 1,234.5, where they tell nothing."""
    english = continental = 0
    groups = ""
    for cell in set(cells):
        if len(cell) > _LONGEST:
            continue
        if other := _OTHER_GROUPS.fullmatch(cell):
            groups = other[1]
        elif "," in cell or "." in cell:
            english += bool(_COMMA_GROUPS.fullmatch(cell) or _DOT_DECIMAL.fullmatch(cell))
            continental += bool(_DOT_GROUPS.fullmatch(cell) or _COMMA_DECIMAL.fullmatch(cell))
    both = bool(english and continental)
    thousands, decimal = (".", ",") if continental > english else (",", ".")
    return NumberStyle(groups or thousands, decimal, both)


class Numbers(dict[str, float]):
    """Cell → number, NaN where it is text, missing or not finite. A cell seen before costs one lookup.

    odd: how many distinct cells look like numbers of another convention than the file's.
    """

    def __init__(self, style: NumberStyle) -> None:
        super().__init__()
        self._style = style
        self.odd = 0

    def __missing__(self, cell: str) -> float:
        value = self._read(cell)
        if len(self) < _REMEMBERED and len(cell) <= _LONGEST:
            self[cell] = value
        return value

    def _read(self, cell: str) -> float:
        text = cell[:_LONGEST].partition("(")[0] if cell.endswith(")") else cell
        text = text.strip()
        if len(text) >= _LONGEST or "_" in text:
            return nan
        thousands, decimal = self._style.thousands, self._style.decimal
        is_odd = thousands in text and self._style.misplaced.search(f" {text}") is not None
        try:
            value = nan if is_odd else float(text.replace(thousands, "").replace(decimal, "."))
        except ValueError:
            is_odd, value = True, nan
        if is_odd and _LIKE_NUMBER.fullmatch(text):
            self.odd += 1
        return value if isfinite(value) else nan


def has_instances(cell: str) -> bool:
    """Whether the cell lists parts: `2,634 (0; 0; 2,634)`, `(0x7f…: 1; …)`."""
    return cell.endswith(")") and "(" in cell and (";" in cell or ": " in cell)


def instances_of(cell: str, numbers: Numbers) -> tuple[Instance, ...]:
    """The parts of a cell, with their keys where it prints keys."""
    listed = cell[cell.index("(") + 1 : -1]
    return tuple(_instance(part.strip(), numbers) for part in listed.split(";") if part.strip())


def _instance(part: str, numbers: Numbers) -> Instance:
    key, colon, value = part.rpartition(": ")
    if not colon:
        return Instance(None, numbers[part])
    try:
        return Instance(int(key, 16) if key.startswith("0x") else int(key), numbers[value])
    except ValueError:
        return Instance(key, numbers[value])
