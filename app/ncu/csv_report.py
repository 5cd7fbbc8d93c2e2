"""The CSV that Nsight Compute prints, in every dialect, as a stream of launches.

Memory does not grow with the file: a launch is handed on as soon as the next one begins. What was odd, and
what was left out, is known when the stream has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from app.domain.report import Dialect, LaunchProfile, ReadError, Report, ReportFormat
from app.ncu.columns import Header
from app.ncu.details_page import DetailsReader
from app.ncu.limits import DEFAULT_LIMITS, Limits
from app.ncu.numbers import NumberStyle, style_of
from app.ncu.page import PageReader, Reading
from app.ncu.raw_page import RawReader
from app.ncu.records import SHORT_OF_HEADER, Records, RowKind
from app.ncu.session_page import SessionReader
from app.ncu.source_page import NO_KERNEL, SourceReader
from app.ncu.summary_page import SummaryReader
from app.ncu.why_empty import why_empty

Row = tuple[RowKind, list[str], Header | None]
Opens = Callable[[Header, Reading], PageReader]

_SAMPLE_CELLS = 200_000  # looked at before the convention of the numbers is decided
_SPLIT_CELLS = (
    "rows with more cells than the head: a comma within a number is not told from one between cells"
)
_MOST_SPLIT = 0.5  # of the rows; beyond that the quotes were stripped and no number can be trusted


@dataclass(frozen=True)
class Page:
    """A kind of table: how its head is known, and what reads it."""

    fits: Callable[[Header], bool]
    opens: Opens


def _has(*names: str) -> Callable[[Header], bool]:
    return lambda header: all(name in header.cells for name in names)


PAGES = (
    Page(lambda header: len(header.cells) > 1 and header.cells[1] == "Source", SourceReader),
    Page(lambda header: header.cells[0].endswith("Attribute"), SessionReader),
    Page(_has("Metric Name", "Metric Unit", "Average"), SummaryReader),
    Page(_has("Metric Name", "Metric Value"), DetailsReader),
    Page(_has("Kernel Name", "Metric Name", "Rule Name"), DetailsReader),
    Page(lambda header: "Kernel Name" in header.cells and "Metric Name" not in header.cells, RawReader),
)


class CsvStream:
    """Iterates over the launches of one file; `report` afterwards tells the rest."""

    def __init__(
        self, lines: Iterable[str], encoding: str = "utf-8", limits: Limits = DEFAULT_LIMITS
    ) -> None:
        self._records = Records(lines, limits)
        self._limits, self._encoding = limits, encoding
        self._reading = Reading(limits)
        self._formats: list[ReportFormat] = []
        self._widest = 0
        self._rows = self._split = 0
        self._kernel = ""
        self._file: str | None = None

    def __iter__(self) -> Iterator[LaunchProfile]:
        rows = self._sampled()
        reader: PageReader | None = None
        count = 0
        for kind, cells, header in rows:
            if kind is RowKind.HEADER:
                done = reader.finish() if reader else None
                reader = self._open(header) if header else None
            else:
                done = self._take(reader, cells, header)
            if done is not None and (count := count + 1) <= self._limits.launches:
                yield done
        last = reader.finish() if reader else None
        if last is not None:
            yield last

    def _sampled(self) -> Iterator[Row]:
        """All rows, after the first of them have told how numbers are written."""
        rows: Iterator[Row] = ((kind, cells, self._records.header) for kind, cells in self._records)
        head: list[Row] = []
        cells = 0
        for row in rows:
            head.append(row)
            cells += len(row[1])
            if cells > _SAMPLE_CELLS:
                break
        style = style_of(cell for row in head for cell in _value_cells(row))
        self._reading = Reading(self._limits, style)
        if style.contradictory:
            self._reading.warn(
                "Some numbers are written as 1,234.5 and others as 1.234,5: "
                f"all were read with {style.decimal!r} as the decimal sign."
            )
        return chain(head, rows)

    def _open(self, header: Header) -> PageReader | None:
        self._widest = max(self._widest, len(header.cells))
        page = next((page for page in PAGES if page.fits(header)), None)
        if page is None:
            self._reading.warn("A table without metrics, rules or source was left out.")
            return None
        reader = page.opens(header, self._reading)
        if isinstance(reader, SourceReader):
            reader = SourceReader(header, self._reading, self._kernel, self._file)
        if reader.format not in self._formats:
            self._formats.append(reader.format)
        return reader

    def _take(
        self, reader: PageReader | None, cells: list[str], header: Header | None
    ) -> LaunchProfile | None:
        if cells and cells[0] in ("Kernel Name", "File Name"):
            return self._name(reader, cells)
        if reader is None or header is None:
            self._reading.skipped[SHORT_OF_HEADER] += 1
            return None
        self._rows += 1
        if len(cells) > len(header.cells):
            self._split += 1
            self._reading.skipped[_SPLIT_CELLS] += 1
            return None
        return reader.take(cells)

    def _name(self, reader: PageReader | None, cells: list[str]) -> LaunchProfile | None:
        """The row above a source page's head: whose source it is, and of which file."""
        done = reader.finish() if reader else None
        value = cells[1] if len(cells) > 1 else ""
        if cells[0] == "Kernel Name":
            self._kernel, self._file = value, None
        else:
            self._file = value
        if reader is None and not value:
            self._reading.skipped[NO_KERNEL] += 1
        return done

    def report(self, launches: tuple[LaunchProfile, ...]) -> Report:
        """The whole report, when the stream has ended."""
        reading, around = self._reading, self._records.around
        stripped = bool(self._rows) and self._split > _MOST_SPLIT * self._rows
        error = self._stripped() if stripped else None
        if not launches and error is None:
            error = why_empty(around, self._formats)
        warnings = [*reading.warnings, *around.warnings, *(around.errors if launches else ())]
        if around.truncated:
            warnings.append("The file ends within a row: that row was left out, the file may be cut off.")
        return Report(
            dialect=self._dialect(reading.style),
            launches=() if stripped else launches,
            warnings=tuple(warnings),
            error=error,
            skipped={**reading.skipped, **around.skipped},
            device_attributes=reading.device_attributes,
        )

    def _stripped(self) -> ReadError:
        return ReadError(
            "quotes_stripped",
            f"{self._split} of {self._rows} rows have more cells than the head: the quotes around cells were "
            "removed, so that 2,816 reads as two numbers. Nothing was read; export the report again with "
            "`ncu --csv` and keep its quotes.",
        )

    def _dialect(self, style: NumberStyle) -> Dialect:
        return Dialect(
            format=self._formats[0] if self._formats else ReportFormat.NONE,
            encoding=self._encoding,
            delimiter=self._records.delimiter,
            thousands=style.thousands,
            decimal=style.decimal,
            columns=self._widest,
            notes=("output of the program stands around the table",)
            if self._records.around.output_before
            else (),
        )


def _value_cells(row: Row) -> Iterable[str]:
    """The cells of a row that hold numbers."""
    kind, cells, header = row
    if kind is RowKind.HEADER or header is None:
        return ()
    named = [p for p, name in enumerate(header.cells[:40]) if name in ("Metric Value", "Average", "Maximum")]
    if named:
        return [cells[place] for place in named if place < len(cells)]
    return cells[header.launch_width :] if "Kernel Name" in header.cells else ()


def read_csv(lines: Iterable[str], encoding: str = "utf-8", limits: Limits = DEFAULT_LIMITS) -> Report:
    """A whole file at once."""
    stream = CsvStream(lines, encoding, limits)
    return stream.report(tuple(stream))
