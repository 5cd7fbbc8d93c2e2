"""Numbers as printed: `1,234,567.89`, `1234567.89`, `2.508.800`, `65,77`, `n/a`, `nan`, lists of instances.

Which sign groups thousands depends on the locale of the machine that printed, so it is decided once for a
file, from cells that can mean one thing only, and reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite, nan

from app.domain.report import Instance

MISSING = frozenset({"", "n/a", "N/A", "-"})
_REMEMBERED = 200_000  # distinct cells whose numbers are kept; the rest are read again

_GROUPED = r"-?\d{1,3}(?:%s\d{3})+"
_COMMA_GROUPS = re.compile(rf"{_GROUPED % ','}\.\d+|-?\d{{1,3}}(?:,\d{{3}}){{2,}}")
_DOT_GROUPS = re.compile(rf"{_GROUPED % re.escape('.')},\d+|-?\d{{1,3}}(?:\.\d{{3}}){{2,}}")
_COMMA_DECIMAL = re.compile(r"-?\d+,(?:\d{1,2}|\d{4,})|-?(?:\d{4,}|0),\d+")
_DOT_DECIMAL = re.compile(r"-?\d+\.(?:\d{1,2}|\d{4,})|-?(?:\d{4,}|0)\.\d+")
_INSTANCES = re.compile(r"(?P<total>[^()]*?)\s*\((?P<list>.*)\)", re.DOTALL)


@dataclass(frozen=True)
class NumberStyle:
    """The signs of one file. contradictory: cells of both kinds were seen, the commoner kind was chosen."""

    thousands: str = ","
    decimal: str = "."
    contradictory: bool = False


def style_of(cells: Iterable[str]) -> NumberStyle:
    """The convention that the cells tell of; the tool's own, 1,234.5, where they tell nothing."""
    english = continental = 0
    for cell in cells:
        if "," not in cell and "." not in cell:
            continue
        english += bool(_COMMA_GROUPS.fullmatch(cell) or _DOT_DECIMAL.fullmatch(cell))
        continental += bool(_DOT_GROUPS.fullmatch(cell) or _COMMA_DECIMAL.fullmatch(cell))
    both = bool(english and continental)
    return NumberStyle(".", ",", both) if continental > english else NumberStyle(contradictory=both)


class Numbers(dict[str, float]):
    """Cell → number, NaN where it is text, missing or not finite. A cell seen before costs one lookup."""

    def __init__(self, style: NumberStyle) -> None:
        super().__init__()
        self._style = style

    def __missing__(self, cell: str) -> float:
        value = self._read(cell)
        if len(self) < _REMEMBERED:
            self[cell] = value
        return value

    def _read(self, cell: str) -> float:
        text = cell.strip()
        if text.endswith(")") and "(" in text:
            text = text[: text.index("(")].strip()
        if self._style.thousands in text:
            text = text.replace(self._style.thousands, "")
        if self._style.decimal != ".":
            text = text.replace(self._style.decimal, ".")
        try:
            value = float(text) if "_" not in text else nan
        except ValueError:
            return nan
        return value if isfinite(value) else nan


def has_instances(cell: str) -> bool:
    """Whether the cell lists parts: `2,634 (0; 0; 2,634)`, `(0x7f…: 1; …)`."""
    return cell.endswith(")") and "(" in cell and (";" in cell or ": " in cell)


def instances_of(cell: str, numbers: Numbers) -> tuple[Instance, ...]:
    """The parts of a cell, with their keys where it prints keys."""
    found = _INSTANCES.fullmatch(cell)
    if found is None:
        return ()
    return tuple(_instance(part.strip(), numbers) for part in found["list"].split(";") if part.strip())


def _instance(part: str, numbers: Numbers) -> Instance:
    key, colon, value = part.rpartition(": ")
    if not colon:
        return Instance(None, numbers[part])
    try:
        return Instance(int(key, 16) if key.startswith("0x") else int(key), numbers[value])
    except ValueError:
        return Instance(key, numbers[value])
