"""`--page source`: for each kernel its name, a head, and one row an instruction or line of source."""

from __future__ import annotations

from app.domain.report import LaunchProfile, ReportFormat, SourceLine, SourceView
from app.ncu.columns import Header
from app.ncu.page import Reading

SAMPLES = "# Samples"
TOO_LONG = "lines of a source page beyond the limit"
NO_KERNEL = "rows of a source page before any kernel's name"


class SourceReader:
    """A kernel's block ends where the next name or head begins."""

    format = ReportFormat.SOURCE

    def __init__(
        self, header: Header, reading: Reading, kernel: str = "", file_name: str | None = None
    ) -> None:
        self._reading, self._header = reading, header
        self._kernel, self._file = kernel, file_name
        self._is_sass = header.cells[0] == "Address"
        self._lines: list[SourceLine] = []
        self._has_rows = False

    def take(self, cells: list[str]) -> LaunchProfile | None:
        """One instruction or line."""
        if len(self._lines) >= self._reading.limits.source_lines:
            self._reading.skipped[TOO_LONG] += 1
            return None
        place = _place(cells[0], hexadecimal=self._is_sass)
        numbers = self._reading.numbers
        pairs = zip(self._header.cells[2:], cells[2:], strict=False)
        values = {name: value for name, cell in pairs if (value := numbers[cell]) == value}
        self._lines.append(
            SourceLine(
                text=cells[1] if len(cells) > 1 else "",
                values=values,
                address=place if self._is_sass else None,
                line=None if self._is_sass else place,
            )
        )
        return None

    def finish(self) -> LaunchProfile | None:
        """The kernel's block."""
        if not self._lines:
            return None
        lines, self._lines = tuple(self._lines), []
        samples = sum(line.values.get(SAMPLES, 0.0) for line in lines)
        view = SourceView(lines, round(samples), self._file)
        return LaunchProfile(number=None, process_id=None, kernel=self._kernel, source=view)


def _place(cell: str, *, hexadecimal: bool) -> int | None:
    try:
        return int(cell, 16 if hexadecimal else 10)
    except ValueError:
        return None
