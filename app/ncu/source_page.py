"""`--page source`: for each kernel its name, a head, and one row an instruction or line of source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.domain.report import LaunchProfile, ReportFormat, SourceLine, SourceView
from app.ncu.columns import Header
from app.ncu.page import Reading

SAMPLES = ("# Samples", "Warp Stall Sampling (All Samples)")
TOO_LONG = "lines of a source page beyond the limit"
NO_KERNEL = "The source page names no kernel above this table."


class SourceReader:
    """A kernel's block ends where the next name or head begins."""

    format = ReportFormat.SOURCE

    def __init__(self, header: Header, reading: Reading) -> None:
        self._reading, self._header = reading, header
        self._is_sass = header.cells[0] == "Address"
        self._kernel, self._file = reading.kernel, None if self._is_sass else reading.file_name
        self._lines: list[SourceLine] = []

    def take(self, rows: Sequence[Sequence[str]], shared: Sequence[str] = ()) -> Iterator[LaunchProfile]:
        """Instructions or lines; the block ends with its table."""
        free = max(self._reading.limits.source_lines - len(self._lines), 0)
        if len(rows) > free:
            self._reading.skipped[TOO_LONG] += len(rows) - free
        self._lines += map(self._line, rows[:free])
        return iter(())

    def _line(self, cells: Sequence[str]) -> SourceLine:
        place = _place(cells[0], hexadecimal=self._is_sass)
        numbers = self._reading.numbers
        pairs = zip(self._header.cells[2:], cells[2:], strict=False)
        values = {name: value for name, cell in pairs if (value := numbers[cell]) == value}
        return SourceLine(
            text=cells[1] if len(cells) > 1 else "",
            values=values,
            address=place if self._is_sass else None,
            line=None if self._is_sass else place,
        )

    def finish(self) -> LaunchProfile | None:
        """The kernel's block."""
        if not self._lines:
            return None
        if not self._kernel:
            self._reading.warn(NO_KERNEL)
        lines, self._lines = tuple(self._lines), []
        column = next((name for name in SAMPLES if name in self._header.places), SAMPLES[0])
        samples = sum(line.values.get(column, 0.0) for line in lines)
        view = SourceView(lines, round(samples), self._file)
        return LaunchProfile(number=None, process_id=None, kernel=self._kernel, source=view)


def _place(cell: str, *, hexadecimal: bool) -> int | None:
    try:
        return int(cell[:32], 16 if hexadecimal else 10)
    except ValueError:
        return None
