"""The zip of a run capsule: written the same way each time, read without trusting a byte of it."""

from __future__ import annotations

import io
import json
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from app.domain.errors import TooLargeError, UnsupportedCapsuleError

MANIFEST, RUN, SAMPLES = "manifest.json", "run.json", "samples.json"
SOURCE_PREFIX = "sources/"
MAX_MEMBERS = 1000
MEBIBYTE = 1 << 20
MAX_BYTES_BY_MEMBER = {MANIFEST: MEBIBYTE, RUN: 32 * MEBIBYTE, SAMPLES: 64 * MEBIBYTE}
MAX_SOURCE_BYTES = 2 * MEBIBYTE
MAX_TOTAL_BYTES = 128 * MEBIBYTE
MAX_NUMBER = 2**63 - 1
EARLIEST = (1980, 1, 1, 0, 0, 0)

_SOURCE_NAME = re.compile(r"sources/[0-9a-f]{64}")
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    KeyError,
    IndexError,
    OverflowError,
)


def write_archive(members: Mapping[str, bytes]) -> bytes:
    """A deflated zip; the same members give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return buffer.getvalue()


def read_manifest(data: bytes) -> bytes:
    """The manifest alone, to tell a newer format from a corrupt one. Raises as `read_archive`."""
    with _opened(data) as archive:
        return _read(archive, archive.getinfo(MANIFEST))


def read_archive(data: bytes) -> dict[str, bytes]:
    """Every member by name, in memory only. Raises UnsupportedCapsuleError or TooLargeError."""
    with _opened(data) as archive:
        return {entry.filename: _read(archive, entry) for entry in _checked_entries(archive)}


@contextmanager
def _opened(data: bytes) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except _UNREADABLE as error:
        raise UnsupportedCapsuleError(
            "The file is not a readable run capsule (a zip by `roofladder export`); nothing was stored. "
            "Export it again or copy it again.",
            field="file",
        ) from error


def read_json(name: str, content: bytes) -> Any:  # noqa: ANN401 - JSON is checked against its type by the caller
    """Parse a member. Raises UnsupportedCapsuleError for what is not JSON and for numbers no run can hold."""
    try:
        return json.loads(content, parse_constant=_refuse_number, parse_float=_finite, parse_int=_bounded)
    except (ValueError, RecursionError) as error:
        raise UnsupportedCapsuleError(
            f"{name} in the capsule cannot be read: {str(error)[:100]}. Nothing was stored; export it again.",
            field=name,
        ) from error


def _checked_entries(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    entries = archive.infolist()
    if len(entries) > MAX_MEMBERS:
        raise TooLargeError(
            f"The capsule has {len(entries)} members, over the limit of {MAX_MEMBERS}; nothing was stored.",
            field="file",
        )
    names = [entry.filename for entry in entries]
    for name in names:
        if name not in MAX_BYTES_BY_MEMBER and not _SOURCE_NAME.fullmatch(name):
            raise UnsupportedCapsuleError(
                f"The capsule has the unexpected member {name[:80]!r}; nothing was stored. "
                "Use a file written by `roofladder export`.",
                field="file",
            )
    missing = [name for name in MAX_BYTES_BY_MEMBER if names.count(name) != 1]
    if missing or len(set(names)) != len(names):
        raise UnsupportedCapsuleError(
            f"The capsule lacks or repeats {', '.join(missing) or 'a member'}; nothing was stored. "
            "Export it again.",
            field="file",
        )
    if sum(entry.file_size for entry in entries) > MAX_TOTAL_BYTES:
        raise _too_large("The capsule", MAX_TOTAL_BYTES)
    return entries


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Read with a bound of our own: the size in the header may lie."""
    limit = MAX_BYTES_BY_MEMBER.get(entry.filename, MAX_SOURCE_BYTES)
    with archive.open(entry) as member:
        content = member.read(limit + 1)
    if len(content) > limit:
        raise _too_large(entry.filename, limit)
    return content


def _too_large(what: str, limit: int) -> TooLargeError:
    return TooLargeError(
        f"{what} unpacks to more than {limit // MEBIBYTE} MiB; nothing was stored. Export fewer samples.",
        field="file",
    )


def _refuse_number(text: str) -> float:
    raise ValueError(f"{text} is not a number that a run can hold")


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refuse_number(text[:40])


def _bounded(text: str) -> int:
    if len(text) > 20 or abs(int(text)) > MAX_NUMBER:
        raise ValueError(f"{text[:40]} is over 64 bits")
    return int(text)
