"""Any file that may come from Nsight Compute: told apart by its content, never by its name."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from app.domain.report import Dialect, ReadError, Report, ReportFormat
from app.ncu.csv_report import CsvStream, read_csv
from app.ncu.decoding import HEAD_BYTES, encoding_of, text_of
from app.ncu.limits import DEFAULT_LIMITS, Limits
from app.ncu.rep_framing import MAGIC
from app.ncu.rep_report import read_rep


def read_report(path: Path, limits: Limits = DEFAULT_LIMITS) -> Report:
    """The file as a report. Content never raises: what cannot be read is told by `error` and `skipped`.

    Raises OSError where the file cannot be opened.
    """
    with path.open("rb") as stream:
        return _read(stream, limits)


def read_bytes(data: bytes, limits: Limits = DEFAULT_LIMITS) -> Report:
    """The same of a file's content."""
    return _read(io.BytesIO(data), limits)


@contextmanager
def open_csv(path: Path, limits: Limits = DEFAULT_LIMITS) -> Iterator[CsvStream]:
    """A CSV file's launches one by one, in memory that does not grow with the file. Raises OSError."""
    with path.open("rb") as stream:
        encoding = encoding_of(_head(stream))
        with text_of(stream, encoding) as text:
            yield CsvStream(text, encoding.name, limits)


def _read(stream: BinaryIO, limits: Limits) -> Report:
    head = _head(stream)
    if head.startswith(MAGIC):
        return read_rep(stream.read(), limits)
    encoding = encoding_of(head)
    if encoding.other is not None:
        return _unreadable(encoding.other)
    with text_of(stream, encoding) as text:
        return read_csv(text, encoding.name, limits)


def _head(stream: BinaryIO) -> bytes:
    head = stream.read(HEAD_BYTES)
    stream.seek(0)
    return head


def _unreadable(what: str) -> Report:
    message = (
        f"This is {what}, not an output of Nsight Compute. Give a .ncu-rep file, or CSV made by `ncu --csv`."
    )
    return Report(Dialect(ReportFormat.NONE), (), error=ReadError("not_text", message))
