"""The CSV that Nsight Compute prints, in every dialect, as a stream of launches.

Memory does not grow with the file: a launch is handed on as soon as the next one begins. What was odd, and
what was left out, is known when the stream has ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TextIO

from app.domain.report import Dialect, LaunchProfile, ReadError, Report, ReportFormat
from app.ncu.batches import Batch
from app.ncu.columns import Header
from app.ncu.limits import DEFAULT_LIMITS, Limits
from app.ncu.lines import Lines
from app.ncu.numbers import style_of
from app.ncu.page import PageReader, Reading
from app.ncu.pages import page_for
from app.ncu.records import BEFORE_HEAD, Records
from app.ncu.why_empty import why_empty

_SAMPLE_CELLS, _SAMPLE_ROWS = 50_000, 3_000  # read before the convention of the numbers is decided
_SAMPLE_VALUES = 10_000  # of them looked at
_VALUE_COLUMNS = ("Metric Value", "Average", "Maximum")
_MOST_SPLIT_FRACTION = 0.5  # of the rows; beyond that the quotes were stripped and no number can be trusted

SPLIT_CELLS, TOO_MANY, ODD_NUMBERS, CUT_LINES, NO_PAGE = (
    "rows with more cells than the head: a comma within a number is not told from one between cells",
    "launches beyond the limit",
    "distinct cells that look like numbers but not as the rest of the file writes them: kept as text",
    "lines longer than the limit: their ends",
    "rows of tables without metrics, rules or source",
)


class CsvStream:
    """Iterates over the launches of one file; `report` afterwards tells the rest."""

    def __init__(self, text: TextIO, encoding: str = "utf-8", limits: Limits = DEFAULT_LIMITS) -> None:
        self._lines = Lines(text, limits.record_chars)
        self._records = Records(self._lines, limits)
        self._limits, self._encoding = limits, encoding
        self._reading = Reading(limits)
        self._reader: PageReader | None = None
        self._formats: list[ReportFormat] = []
        self._widest = self._rows = self._split = 0

    def __iter__(self) -> Iterator[LaunchProfile]:
        for count, launch in enumerate(self._all_launches(), start=1):
            if count <= self._limits.launches:
                yield launch
            else:
                self._reading.skipped[TOO_MANY] += 1

    def _all_launches(self) -> Iterator[LaunchProfile]:
        for batch in self._sampled():
            if batch.is_head and batch.header is not None:
                yield from self._finished()
                self._open(batch.header)
            elif not batch.is_plain and list(batch.rows[0][:1]) in (["Kernel Name"], ["File Name"]):
                yield from self._finished()
                self._name(batch.rows[0])
            else:
                yield from self._take(batch)
        yield from self._finished()

    def _finished(self) -> Iterator[LaunchProfile]:
        """The launch that the open table still holds; the table is closed."""
        last = self._reader.finish() if self._reader else None
        if last is not None:
            yield last

    def _sampled(self) -> Iterator[Batch]:
        """All batches, after the first of them have told how numbers are written."""
        batches = iter(self._records)
        head: list[Batch] = []
        rows = cells = 0
        for batch in batches:
            head.append(batch)
            rows += len(batch.rows)
            cells += sum(map(len, batch.rows))
            if cells > _SAMPLE_CELLS or rows > _SAMPLE_ROWS:
                break
        values = (cell for batch in head for cell in _value_cells(batch))
        style = style_of(islice(values, _SAMPLE_VALUES))
        self._reading = Reading(self._limits, style)
        if style.contradictory:
            self._reading.warn(
                "Some numbers are written as 1,234.5 and others as 1.234,5: "
                f"all were read with {style.decimal!r} as the decimal sign."
            )
        return chain(head, batches)

    def _open(self, header: Header) -> None:
        self._widest = max(self._widest, len(header.cells))
        page = page_for(header)
        self._reader = page.opens(header, self._reading) if page else None
        if self._reader is None:
            self._reading.warn("A table without metrics, rules or source was left out.")
        elif self._reader.format not in self._formats:
            self._formats.append(self._reader.format)

    def _name(self, cells: Sequence[str]) -> None:
        """The row above a source page's head: whose source it is, and of which file."""
        value = cells[1] if len(cells) > 1 else ""
        if cells[0] == "Kernel Name":
            self._reading.kernel = value
        else:
            self._reading.file_name = value

    def _take(self, batch: Batch) -> Iterator[LaunchProfile]:
        if batch.header is None or self._reader is None:
            self._reading.skipped[BEFORE_HEAD if batch.header is None else NO_PAGE] += len(batch.rows)
            return iter(())
        self._rows += len(batch.rows)
        if batch.is_plain:
            return self._reader.take(batch.rows, batch.shared)
        width = len(batch.header.cells)
        rows = [cells for cells in batch.rows if len(cells) <= width or not any(cells[width:])]
        if len(rows) < len(batch.rows):
            self._split += len(batch.rows) - len(rows)
            self._reading.skipped[SPLIT_CELLS] += len(batch.rows) - len(rows)
        return self._reader.take(rows) if rows else iter(())

    def report(self, launches: tuple[LaunchProfile, ...]) -> Report:
        """The whole report, when the stream has ended."""
        reading, around = self._reading, self._records.around
        stripped = self._split > _MOST_SPLIT_FRACTION * self._rows
        error = self._stripped() if stripped else None
        if not launches and error is None:
            error = why_empty(around, self._formats)
        return Report(
            dialect=self._dialect(),
            launches=() if stripped else launches,
            warnings=tuple(self._warnings(has_launches=bool(launches))),
            error=error,
            skipped={what: count for what, count in self._skipped().items() if count},
            device_attributes=reading.device_attributes,
        )

    def _warnings(self, *, has_launches: bool) -> Iterator[str]:
        around = self._records.around
        yield from self._reading.warnings
        yield from around.warnings
        if has_launches:
            yield from around.errors
        if around.truncated:
            yield "The file ends within a row: that row was left out, the file may be cut off."

    def _skipped(self) -> dict[str, int]:
        return {
            **self._reading.skipped,
            **self._records.around.skipped,
            ODD_NUMBERS: self._reading.numbers.odd,
            CUT_LINES: self._lines.cut,
        }

    def _stripped(self) -> ReadError:
        return ReadError(
            "quotes_stripped",
            f"{self._split} of {self._rows} rows have more cells than the head: the quotes around cells were "
            "removed, so that 2,816 reads as two numbers. Nothing was read; export the report again with "
            "`ncu --csv` and keep its quotes.",
        )

    def _dialect(self) -> Dialect:
        style = self._reading.style
        around = "output of the program or of the tool stands around the table"
        return Dialect(
            format=self._formats[0] if self._formats else ReportFormat.NONE,
            encoding=self._encoding,
            delimiter=self._records.delimiter,
            thousands=style.thousands,
            decimal=style.decimal,
            columns=self._widest,
            notes=(around,) if self._records.around.output_before else (),
        )


def _value_cells(batch: Batch) -> Iterator[str]:
    """The cells of a batch that hold numbers."""
    header = batch.header
    if batch.is_head or header is None:
        return
    ahead = len(batch.shared)
    named = [place - ahead for name in _VALUE_COLUMNS if (place := header.places.get(name)) is not None]
    for cells in batch.rows:
        if named:
            yield from (cells[place] for place in named if place < len(cells))
        elif "Kernel Name" in header.places:
            yield from cells[header.launch_width :]


def read_csv(text: TextIO, encoding: str = "utf-8", limits: Limits = DEFAULT_LIMITS) -> Report:
    """A whole file at once."""
    stream = CsvStream(text, encoding, limits)
    return stream.report(tuple(stream))
