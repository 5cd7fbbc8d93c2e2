"""From bytes to lines: byte-order marks, UTF-16, old code pages; and what is no text at all."""

from __future__ import annotations

import codecs
import io
from dataclasses import dataclass
from typing import BinaryIO

HEAD_BYTES = 1 << 16
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OTHER_FILES = (
    (b"NVR\0", "an Nsight Compute report file (.ncu-rep)"),
    (b"PK\x03\x04", "a zip archive"),
    (b"%PDF", "a PDF document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "a picture"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "a SQLite database"),
)
_MOST_CONTROL_FRACTION = 0.02
_HALF_ZERO = 0.7  # every other byte of Latin text in UTF-16 is zero


@dataclass(frozen=True)
class Encoding:
    """How the bytes are to be read; `other` says what they are where they are no text."""

    name: str = "utf-8"
    other: str | None = None


def encoding_of(head: bytes) -> Encoding:
    """What the first bytes of a file say of its encoding."""
    for magic, what in _OTHER_FILES:
        if head.startswith(magic):
            return Encoding(other=what)
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Encoding(name)
    if head.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")):
        return Encoding(other="a web page")
    return _unmarked(head)


def _unmarked(head: bytes) -> Encoding:
    halves = [_zero_fraction(head[start::2]) for start in (0, 1)]
    if max(halves) > _HALF_ZERO > 1 - _HALF_ZERO > min(halves):
        return Encoding("utf-16-be" if halves[0] > halves[1] else "utf-16-le")
    head = head.rstrip(b"\0")  # what a disk lost behind the text
    controls = sum(head.count(code) for code in range(32) if code not in (9, 10, 12, 13, 27))
    if controls > _MOST_CONTROL_FRACTION * len(head):
        return Encoding(other="binary data")
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(head)  # not final: the head may end within a character
    except UnicodeDecodeError:
        return Encoding("cp1252")
    return Encoding()


def _zero_fraction(half: bytes) -> float:
    return half.count(0) / max(len(half), 1)


def text_of(stream: BinaryIO, encoding: Encoding) -> io.TextIOWrapper:
    """The text with any line end read as one; bytes that mean nothing become U+FFFD."""
    return io.TextIOWrapper(stream, encoding=encoding.name, errors="replace", newline=None)
