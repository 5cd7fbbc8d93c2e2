"""Several reports in one zip, unpacked without trusting a byte of it."""

from __future__ import annotations

import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from app.domain.errors import TooLargeError, UnreadableReportError

MEBIBYTE = 1 << 20
MAX_MEMBERS = 500
MAX_UNPACKED_BYTES = 2048 * MEBIBYTE
MAX_RATIO = 300  # text of counters packs about 30 times smaller; what packs far smaller is padding
RATIO_MATTERS_FROM_BYTES = 16 * MEBIBYTE
CHUNK_BYTES = MEBIBYTE
_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
)


@dataclass(frozen=True)
class Member:
    """One file of a zip, unpacked for as long as it is looked at. problem: why it was left out, else None."""

    name: str
    path: Path
    problem: str | None = None


def is_archive(path: Path) -> bool:
    """Whether a file begins as a zip does."""
    with path.open("rb") as file:
        return file.read(4) in _SIGNATURES


def members(path: Path) -> Iterator[Member]:
    """Each file of the zip in turn; its path is gone once the next one is asked for.

    Raises TooLargeError for too many members or bytes, UnreadableReportError for what is no whole zip.
    """
    try:
        archive = zipfile.ZipFile(path)
    except _UNREADABLE as error:
        raise UnreadableReportError(
            "The zip cannot be read; nothing was stored. Pack it again, or send the reports one by one.",
            field="file",
        ) from error
    with archive, tempfile.TemporaryDirectory() as folder:
        left = MAX_UNPACKED_BYTES
        for index, entry in enumerate(_files(archive)):
            target = Path(folder) / str(index)
            problem = _unpack(archive, entry, target, left)
            left -= target.stat().st_size
            yield Member(_shown_name(entry), target, problem)
            target.unlink()


def _files(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    entries = [entry for entry in archive.infolist() if not entry.is_dir() and not _is_clutter(entry)]
    if len(entries) > MAX_MEMBERS:
        raise TooLargeError(
            f"The zip has {len(entries)} files, over the limit of {MAX_MEMBERS}; nothing was stored."
            " Split it.",
            field="file",
        )
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
        raise _too_large()
    for entry in entries:
        _check_ratio(entry, entry.file_size)
    return entries


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, left: int) -> str | None:
    """Write a member with a bound of our own, as its header may lie; returns why it cannot be read."""
    written = 0
    with target.open("wb") as out:
        try:
            with archive.open(entry) as member:
                while chunk := member.read(CHUNK_BYTES):
                    written += len(chunk)
                    if written > left:
                        raise _too_large()
                    _check_ratio(entry, written)
                    out.write(chunk)
        except _UNREADABLE as error:
            reason = "it is encrypted" if entry.flag_bits & 1 else str(error)[:100] or type(error).__name__
            return f"It cannot be unpacked: {reason}. Pack it again, or send it alone."
    return None


def _check_ratio(entry: zipfile.ZipInfo, unpacked: int) -> None:
    if unpacked > RATIO_MATTERS_FROM_BYTES and unpacked > MAX_RATIO * max(entry.compress_size, 1):
        raise TooLargeError(
            f"{_shown_name(entry)[:80]} in the zip unpacks to more than {MAX_RATIO} times its size, which no "
            "report does; nothing of it was stored. Send the report itself.",
            field="file",
        )


def _too_large() -> TooLargeError:
    return TooLargeError(
        f"The zip unpacks to more than {MAX_UNPACKED_BYTES // MEBIBYTE} MiB; the rest was not stored."
        " Split it.",
        field="file",
    )


def _is_clutter(entry: zipfile.ZipInfo) -> bool:
    """What archivers add by themselves."""
    parts = PurePosixPath(entry.filename).parts
    return "__MACOSX" in parts or any(part.startswith(".") and part not in (".", "..") for part in parts)


def _shown_name(entry: zipfile.ZipInfo) -> str:
    return PurePosixPath(entry.filename.replace("\\", "/")).name
