"""The order of the ladder table: by rung, or by one of its columns; rungs without a value stay last."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from app.services.ladder_rows import LadderRow


@dataclass(frozen=True)
class Sorting:
    """Column and direction; the key "" is ladder order."""

    key: str = ""
    descending: bool = False


def _interval(row: LadderRow) -> float | None:
    shown = row.shown
    if shown is None or shown.ci_low_s is None or shown.ci_high_s is None:
        return None
    return (shown.ci_high_s - shown.ci_low_s) / shown.median_s


def _registers(row: LadderRow) -> float | None:
    return row.shown.compiler.registers if row.shown and row.shown.compiler else None


VALUES: Mapping[str, Callable[[LadderRow], float | None]] = {
    "achieved": lambda row: row.rate,
    "roof": lambda row: row.shown.roof_fraction_boost if row.shown else None,
    "step": lambda row: row.step,
    "median": lambda row: row.shown.median_s if row.shown else None,
    "interval": _interval,
    "intensity": lambda row: row.intensity,
    "registers": _registers,
    "claim": lambda row: row.claim.claimed_fraction if row.claim else None,
    "error": lambda row: row.shown.correctness.max_relative_error if row.shown else None,
}


def sorting(key: str, order: str) -> Sorting:
    """What the query string asks for; ladder order for a column that does not exist."""
    return Sorting(key, order == "desc") if key in VALUES else Sorting()


def sorted_rows(rows: Sequence[LadderRow], by: Sorting) -> tuple[LadderRow, ...]:
    """Rows by a column; equal ones and those without a value keep their ladder order."""
    if by.key not in VALUES:
        return tuple(rows)
    value = VALUES[by.key]
    known = [row for row in rows if value(row) is not None]
    unknown = [row for row in rows if value(row) is None]
    sign = -1.0 if by.descending else 1.0
    return (*sorted(known, key=lambda row: sign * (value(row) or 0.0)), *unknown)
