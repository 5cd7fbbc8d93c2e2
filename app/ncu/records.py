"""Rows of the tables within a tool's output, and everything around them.

The output of the profiled program stands before, between and after the tables, so a line belongs to a table
only where it begins like a row of one. A quoted cell may run over many lines; where its quote never closes,
the next line that begins like a launch's row ends it. Runs of plain rows, nearly all of a usual file, are
split many at a time.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from app.ncu.batches import Batch, plain_batches, quoted_batches
from app.ncu.columns import Header, is_header
from app.ncu.limits import Limits
from app.ncu.lines import Lines
from app.ncu.surroundings import Surroundings

csv.field_size_limit(2**31 - 1)  # a cell may list an instance for every instruction; records are bounded here

DELIMITERS = (",", ";", "\t")
_BATCH_LINES = 1024
_LEAST_BATCH = 32  # rows between lines of output; fewer are taken one by one
_DIGIT_STARTS = tuple(f'"{digit}' for digit in "0123456789")
_ROW_START = re.compile(r'"(?:|\d[\d.,]*|0x[0-9a-fA-F]+|n/a|-)"\s*[,;\t]')
_NAMED_ROW_START = re.compile(r'"[A-Za-z#_][^"]*"[,;\t]')
_LAUNCH_START = re.compile(r'"\d+"[,;\t]"\d+"[,;\t]"')
_TABLE_WORDS = ("Kernel Name", "Attribute", "Source", "File Name")
_TABLE_WITHIN = re.compile(r'"(?:ID","Process ID|Process ID","Process Name|Kernel Name)"')

BROKEN, TOO_LONG, BEFORE_HEAD, GIVEN_UP = (
    "rows whose quotes never closed",
    "rows longer than the limit",
    "rows before any table's head",
    "rest of the file, behind too many lines that are no rows",
)


class Records:
    """Iterates over batches of rows."""

    def __init__(self, lines: Lines, limits: Limits) -> None:
        self.around = Surroundings()
        self.header: Header | None = None
        self.delimiter = ","
        self.is_quoted = True
        self._lines = lines
        self._limits = limits
        self._outside = 0  # lines in a row that are no rows
        self._slow = 0  # lines to take one by one before batches are tried again

    def __iter__(self) -> Iterator[Batch]:
        while True:
            if batches := self._plain_batches():
                yield from batches
                continue
            self._lines.skip_blank()
            line = self._lines.next()
            if line is None:
                return
            record = self._record(line.removeprefix("\ufeff"))
            self._outside = self._outside + 1 if record is None else 0
            if record is not None:
                yield self._batch(record)
            elif self._outside > self._limits.output_lines:
                self.around.skipped[GIVEN_UP] += 1
                return

    def _plain_batches(self) -> list[Batch]:
        """The rows of the lines ahead, as many as are plain: quoted, one a line, no wider than the head."""
        header = self.header
        if self._slow or header is None or not self.is_quoted or header.has_nvtx:
            self._slow -= bool(self._slow)
            return []
        lines = self._lines.ahead(_BATCH_LINES)
        if not lines or not lines[0].startswith(_DIGIT_STARTS):
            return []
        batches = plain_batches(lines, self.delimiter, header)
        if not batches:
            odd = (place for place, line in enumerate(lines) if not line.startswith(_DIGIT_STARTS))
            lines = lines[: next(odd, len(lines))]
            batches = quoted_batches(lines, self.delimiter, header) if len(lines) >= _LEAST_BATCH else []
        if batches:
            self._lines.skip(len(lines))
        else:
            self._slow = max(len(lines), 2 * _LEAST_BATCH)
        return batches

    def _batch(self, record: str) -> Batch:
        cells = self._cells(record)
        if _may_open_table(record) and is_header(cells):
            self.header = Header.of(cells, self._limits.columns)
            return Batch([cells], self.header, is_head=True)
        return Batch([cells], self.header)

    def _record(self, line: str) -> str | None:
        """The record that begins with this line, or None where it is no row."""
        within = 0 if line.startswith('"') else self._within(line)
        if within:
            self.around.take(line[:within], self._limits)
            line = line[within:]
        elif not self._begins_record(line):
            self.around.take(line, self._limits)
            return None
        return line if line.count('"') % 2 == 0 else self._continued(line)

    def _within(self, line: str) -> int:
        """Where a row begins behind output that did not end its line; 0 where none does."""
        found = _TABLE_WITHIN.search(line) if _may_open_table(line) else None
        if found is None and self.header is not None and self.is_quoted:
            found = _LAUNCH_START.search(line)
        return found.start() if found and self._begins_record(line[found.start() :]) else 0

    def _begins_record(self, line: str) -> bool:
        header = self.header
        if header is not None and self.is_quoted and line.startswith('"'):
            if _ROW_START.match(line) or (not header.begins_with_number and _NAMED_ROW_START.match(line)):
                return True
        elif header is not None and not self.is_quoted and self._fits_unquoted(line):
            return True
        return self._opens_table(line)

    def _opens_table(self, line: str) -> bool:
        """Whether the line is a head; then its delimiter and quoting hold from here on."""
        if not _may_open_table(line):
            return False
        for delimiter in DELIMITERS:
            if delimiter not in line:
                continue
            cells = _split(line, delimiter)
            if is_header(cells) or cells[0] in ("Kernel Name", "File Name"):
                self.delimiter, self.is_quoted = delimiter, line.startswith('"')
                return True
        return False

    def _fits_unquoted(self, line: str) -> bool:
        first, found, _ = line.partition(self.delimiter)
        return bool(found) and (first == "" or first.strip(' "').isdecimal() or first.startswith("0x"))

    def _continued(self, line: str) -> str | None:
        """A record that goes on over further lines."""
        parts, size = [line], len(line)
        is_open = True
        while is_open:
            following = self._lines.next()
            if following is None:
                self.around.truncated = True
                self.around.skipped[BROKEN] += 1
                return None
            if _LAUNCH_START.match(following) is not None:
                self._lines.put_back(following)
                return self._closed_by_next(line)
            parts.append(following)
            size += len(following)
            if len(parts) > self._limits.record_lines or size > self._limits.record_chars:
                self.around.skipped[TOO_LONG] += 1
                return None
            is_open = (following.count('"') % 2 == 0) == is_open
        return "\n".join(parts)

    def _closed_by_next(self, first: str) -> str | None:
        """A record whose quotes do not match up, as names with quotes make it, yet ends as a row does."""
        if first.rstrip().rstrip(self.delimiter).endswith('"'):
            return first
        self.around.skipped[BROKEN] += 1
        return None

    def _cells(self, record: str) -> list[str]:
        header = self.header
        if header is None or not self.is_quoted:
            return _split(record, self.delimiter)
        cells = [] if header.has_nvtx else _split(record, self.delimiter)
        if header.has_nvtx or len(cells) > len(header.cells):
            return _split_raw_quotes(record, self.delimiter)
        return cells


def _may_open_table(line: str) -> bool:
    return any(word in line for word in _TABLE_WORDS)


def _split(record: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader((record,), delimiter=delimiter), [])
    except csv.Error:
        return _split_raw_quotes(record, delimiter)


def _split_raw_quotes(record: str, delimiter: str) -> list[str]:
    """Cells of a row in which every cell is quoted but quotes inside are not doubled (NVTX names)."""
    text = record.rstrip("\r\n" + delimiter)
    cells = text.removeprefix('"').removesuffix('"').split(f'"{delimiter}"')
    return [cell.replace('""', '"') for cell in cells]
