"""Runs of plain rows, split many at a time: nearly all of a usual file."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.ncu.columns import Header
from app.ncu.packed_cells import PackedCells

_LEAST_CELLS = 2
_FIRST_CELL = re.compile(r"\d[\d.,]*|0x[0-9a-fA-F]+")


@dataclass(frozen=True)
class Batch:
    """Rows that stand one below the other in the table with this head.

    shared: cells that stand in front of each of the rows. is_head: the one row is the head itself. is_plain:
    no row is wider than the head.
    """

    rows: Sequence[Sequence[str]]
    header: Header | None
    shared: Sequence[str] = ()
    is_head: bool = False
    is_plain: bool = False


def plain_batches(lines: Sequence[str], delimiter: str, header: Header) -> list[Batch]:
    """Lines in which every cell is quoted and none holds a quote; nothing where that is not so.

    A short row ends behind a delimiter. Such lines have two quotes a cell: any other shows in the count.
    """
    text = "\n".join(lines).removesuffix(delimiter).replace(f'"{delimiter}\n', '"\n')
    if not (text.startswith('"') and text.endswith('"')):
        return []
    inner = text[1:-1].split('"\n"')
    if len(inner) != len(lines):
        return []
    batches = list(_runs(inner, f'"{delimiter}"', header))
    cells = sum(len(batch.shared) * len(batch.rows) + sum(map(len, batch.rows)) for batch in batches)
    is_plain = text.count('"') == 2 * cells and all(map(_fits, batches))
    return batches if is_plain else []


def _runs(inner: list[str], between: str, header: Header) -> Iterator[Batch]:
    """Rows of one launch begin with the same cells, which are split only once."""
    if header.is_wide:
        yield from (_wide(line, between, header) for line in inner)
        return
    width = header.shared_width
    if not width:
        yield Batch([line.split(between) for line in inner], header, is_plain=True)
        return
    start = 0
    while start < len(inner):
        shared = inner[start].split(between, width)[:width]
        front = between.join(shared) + between
        others = (p for p in range(start + 1, len(inner)) if not inner[p].startswith(front))
        end, cut = next(others, len(inner)), len(front)
        yield Batch([line[cut:].split(between) for line in inner[start:end]], header, shared, is_plain=True)
        start = end


def _wide(line: str, between: str, header: Header) -> Batch:
    """One launch; its counters stay one text."""
    *front, rest = line.split(between, header.launch_width)
    if len(front) < header.launch_width:
        return Batch([[*front, rest]], header, is_plain=True)
    return Batch([PackedCells(rest, between)], header, front, is_plain=True)


def _fits(batch: Batch) -> bool:
    header, ahead = batch.header, len(batch.shared)
    widths = {ahead + len(row) for row in batch.rows}
    if header is None or max(widths) > len(header.cells) or min(widths) < _LEAST_CELLS:
        return False
    firsts = batch.shared[:1] or {row[0] for row in batch.rows}
    return all(map(_FIRST_CELL.fullmatch, firsts))


def quoted_batches(lines: Sequence[str], delimiter: str, header: Header) -> list[Batch]:
    """Lines that are each a row of CSV by itself; nothing where that is not so."""
    try:
        rows = list(csv.reader(lines, delimiter=delimiter))
    except csv.Error:
        return []
    batch = Batch(rows, header, is_plain=True)
    # As many rows as lines: no row took in the line below it.
    is_whole = len(rows) == len(lines) and lines[-1].count('"') % 2 == 0
    return [batch] if rows and is_whole and _fits(batch) else []
