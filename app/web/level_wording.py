"""The levels of memory as a table of texts, each with where it comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.claims.published import Found, Missing
from app.domain.vocabulary import Provenance, Verdict
from app.services.hierarchy_view import HierarchyView, LevelRow
from app.web import formatting
from app.web.formatting import MISSING, Scale
from app.web.wording import VERDICT, Badge


@dataclass(frozen=True)
class Judgement:
    """The verdict on a printed figure and the claim behind it."""

    claim: str
    look: Badge | None  # None before anything was measured


@dataclass(frozen=True)
class LevelCell:
    """A figure of the table. `why`: how it came about, or the reason that there is none."""

    text: str
    why: str
    provenance: Provenance
    run_ids: tuple[int, ...] = ()
    imported: bool = False
    judgements: tuple[Judgement, ...] = ()


@dataclass(frozen=True)
class LevelLine:
    """A level and its figures in the order of the columns."""

    row: LevelRow
    cells: tuple[LevelCell, ...]


@dataclass(frozen=True)
class LevelTable:
    """The table with the units that its columns share."""

    latency_unit: str
    bandwidth_unit: str
    lines: tuple[LevelLine, ...]


def level_table(view: HierarchyView) -> LevelTable:
    """Capacity, latency and bandwidth of each level, here and as printed for an A100."""
    latency = formatting.duration_scale(_value(row.latency_s) for row in view.rows)
    bandwidth = formatting.rate_scale(
        (
            value
            for row in view.rows
            for value in (_value(row.bandwidth), row.level.printed.bandwidth_bytes_per_s)
        ),
        "B/s",
    )
    lines = tuple(LevelLine(row, _cells(row, latency, bandwidth)) for row in view.rows)
    return LevelTable(latency.unit, bandwidth.unit, lines)


def _cells(row: LevelRow, latency: Scale, bandwidth: Scale) -> tuple[LevelCell, ...]:
    printed, ids = row.level.printed, row.level.claims
    return (
        _here(row.capacity, _capacity),
        _here(row.kept, _capacity),
        _printed(row, _printed_capacity(printed.capacity_bytes, printed.cached_bytes), ids.capacity),
        _here(row.latency_s, latency.number),
        _here(row.latency_cycles, formatting.significant),
        _printed(row, _range(printed.latency_cycles), ids.latency),
        _here(row.bandwidth, bandwidth.number),
        _printed(row, bandwidth.number(printed.bandwidth_bytes_per_s), ids.bandwidth),
    )


def _here(found: Found | Missing, text: Callable[[float], str]) -> LevelCell:
    if isinstance(found, Missing):
        return LevelCell(MISSING, f"{found.reason} {found.remedy}", Provenance.NOT_CAPTURED)
    return LevelCell(text(found.value), found.basis, found.provenance, found.run_ids, found.imported)


def _printed(row: LevelRow, text: str, ids: tuple[str, ...]) -> LevelCell:
    if text == MISSING:
        return LevelCell(MISSING, "The lectures print no figure.", Provenance.NOT_CAPTURED)
    judgements = tuple(Judgement(one, _look(row.verdicts.get(one))) for one in ids)
    return LevelCell(text, "L22 §1, for an A100", Provenance.CLAIMED, judgements=judgements)


def _look(verdict: Verdict | None) -> Badge | None:
    return VERDICT[verdict] if verdict else None


def _capacity(value: float) -> str:
    return formatting.capacity(round(value))


def _printed_capacity(value: float | None, cached: float | None) -> str:
    if value is None:
        return MISSING
    return _capacity(value) + (f", {_capacity(cached)} cached" if cached else "")


def _range(cycles: tuple[float, float] | None) -> str:
    if cycles is None:
        return MISSING
    low, high = (formatting.plain(end) for end in cycles)
    return low if low == high else f"{low}–{high}"


def _value(found: Found | Missing) -> float | None:
    return found.value if isinstance(found, Found) else None


LEVEL_WORDS = (level_table,)
