"""Rows of the tables within a tool's output, and everything around them.

The output of the profiled program stands before, between and after the tables, so a line belongs to a table
only where it begins like a row of one. A quoted cell may run over many lines; where its quote never closes,
the next line that begins like a launch's row ends it.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from app.ncu.columns import Header, is_header
from app.ncu.limits import Limits

csv.field_size_limit(2**31 - 1)  # a cell may list an instance for every instruction; records are bounded here

DELIMITERS = (",", ";", "\t")
_ROW_START = re.compile(r'"(?:|\d+|0x[0-9a-fA-F]+)"[,;\t]|"[A-Za-z#][^"]*"[,;\t]')
_LAUNCH_START = re.compile(r'"\d+"[,;\t]"\d+"[,;\t]"')
_TOOL_LINE = re.compile(r"==(ERROR|WARNING|PROF)==\s*(.*)")
_SPOKEN = ("ERR_NVGPUCTRPERM", "No kernels were profiled", "Received signal")

OUTPUT, BROKEN, SHORT_OF_HEADER, TOO_LONG = (
    "lines of the program's or the tool's own output",
    "rows whose quotes never closed",
    "rows before any table's head",
    "rows longer than the limit",
)


class RowKind(Enum):
    """What a row is to the table that is open."""

    HEADER = 1
    DATA = 2


@dataclass
class Surroundings:
    """What stood outside the tables."""

    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    prof_count: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    truncated: bool = False
    output_before: bool = False

    def take(self, line: str, limits: Limits) -> None:
        """Note one line that is no row."""
        text = line.strip()
        if not text:
            return
        self.skipped[OUTPUT] += 1
        self.output_before = True
        found = _TOOL_LINE.search(text[: limits.line_chars])
        if found is None:
            if any(word in text for word in _SPOKEN) and len(self.errors) < limits.tool_lines:
                self.errors.append(text[: limits.line_chars])
            return
        kind, said = found.groups()
        if kind == "PROF":
            self.prof_count += 1
            return
        kept = self.errors if kind == "ERROR" or any(word in said for word in _SPOKEN) else self.warnings
        if len(kept) < limits.tool_lines:
            kept.append(f"=={kind}== {said}")


class Records:
    """Iterates over (kind, cells). `header` is the head of the table that the row belongs to."""

    def __init__(self, lines: Iterable[str], limits: Limits) -> None:
        self.around = Surroundings()
        self.header: Header | None = None
        self.delimiter = ","
        self.is_quoted = True
        self._lines = iter(lines)
        self._limits = limits

    def __iter__(self) -> Iterator[tuple[RowKind, list[str]]]:
        for record in self._records():
            cells = self._cells(record)
            if _may_open_table(record) and is_header(cells):
                self.header = Header(tuple(cells))
                yield RowKind.HEADER, cells
            else:
                yield RowKind.DATA, cells

    def _records(self) -> Iterator[str]:
        """Whole records as text: a line, or several where a quoted cell holds line ends."""
        pending: str | None = None
        while True:
            line = pending if pending is not None else next(self._lines, None)
            pending = None
            if line is None:
                return
            if not self._begins_record(line):
                self.around.take(line, self._limits)
                continue
            if not self.is_quoted or line.count('"') % 2 == 0:
                yield line
                continue
            record, pending = self._continued(line)
            if record is not None:
                yield record

    def _begins_record(self, line: str) -> bool:
        if line.startswith('"'):
            return (self.header is not None and self.is_quoted and _ROW_START.match(line) is not None) or (
                self._opens_table(line)
            )
        if self._opens_table(line):
            return True
        return not self.is_quoted and self.header is not None and self._fits_unquoted(line)

    def _opens_table(self, line: str) -> bool:
        """Whether the line is a head; then its delimiter and quoting hold from here on."""
        if not _may_open_table(line):
            return False
        for delimiter in DELIMITERS:
            if delimiter in line and (
                is_header(cells := _split(line, delimiter)) or cells[0] in ("Kernel Name", "File Name")
            ):
                self.delimiter, self.is_quoted = delimiter, line.startswith('"')
                return True
        return False

    def _fits_unquoted(self, line: str) -> bool:
        first = line.split(self.delimiter, 1)[0]
        return first.strip().isdigit() or (first == "" and self.delimiter in line)

    def _continued(self, line: str) -> tuple[str | None, str | None]:
        """A record that goes on over further lines, and the line that ended it without belonging to it."""
        parts, size = [line], len(line)
        is_open = True
        while is_open:
            following = next(self._lines, None)
            if following is None:
                self.around.truncated = True
                self.around.skipped[BROKEN] += 1
                return None, None
            if _LAUNCH_START.match(following) is not None:
                return self._closed_by_next(parts[0]), following
            parts.append(following)
            size += len(following)
            if len(parts) > self._limits.record_lines or size > self._limits.record_chars:
                self.around.skipped[TOO_LONG] += 1
                return None, None
            is_open = (following.count('"') % 2 == 0) == is_open
        return "".join(parts), None

    def _closed_by_next(self, first: str) -> str | None:
        """A record whose quotes do not match up, as names with quotes make it, yet ends as a row does."""
        if first.rstrip("\r\n").rstrip(self.delimiter).endswith('"'):
            return first
        self.around.skipped[BROKEN] += 1
        return None

    def _cells(self, record: str) -> list[str]:
        header = self.header
        if header is not None and self.is_quoted and header.has_nvtx:
            return _split_raw_quotes(record, self.delimiter)
        cells = _split(record, self.delimiter)
        if header is not None and self.is_quoted and len(cells) > len(header.cells):
            return _split_raw_quotes(record, self.delimiter)
        return cells


def _may_open_table(line: str) -> bool:
    return "Kernel Name" in line or "Attribute" in line or '"Source"' in line


def _split(record: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader((record,), delimiter=delimiter), [])
    except csv.Error:
        return _split_raw_quotes(record, delimiter)


def _split_raw_quotes(record: str, delimiter: str) -> list[str]:
    """Cells of a row in which every cell is quoted but quotes inside are not doubled (NVTX names)."""
    text = record.rstrip("\r\n")
    while text.endswith(delimiter):
        text = text[:-1]
    cells = text.removeprefix('"').removesuffix('"').split(f'"{delimiter}"')
    return [cell.replace('""', '"') for cell in cells]
