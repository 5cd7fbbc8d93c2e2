"""Lines of a text of any length in bounded memory: by the block, one by one, or put back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

BLOCK_CHARS = 1 << 19


class Lines:
    """A cursor over the lines of a stream, without their ends. Lines beyond `longest` are cut and counted."""

    def __init__(self, stream: TextIO, longest: int) -> None:
        self._blocks = self._read(stream)
        self._longest = longest
        self._block: list[str] = []
        self._next = 0
        self.cut = 0

    def next(self) -> str | None:
        """The next line; None at the end."""
        if self._next >= len(self._block) and not self._refill():
            return None
        line = self._block[self._next]
        self._next += 1
        return line

    def skip_blank(self) -> None:
        """Pass over empty lines: a file may consist of millions of them."""
        while True:
            block, place, end = self._block, self._next, len(self._block)
            while place < end and not block[place]:
                place += 1
            self._next = place
            if place < end or not self._refill():
                return

    def put_back(self, line: str) -> None:
        """Make `line`, the one returned last, the next again."""
        if self._next:
            self._next -= 1
            self._block[self._next] = line
        else:
            self._block.insert(0, line)

    def ahead(self, count: int) -> list[str]:
        """Up to `count` next lines, not taken yet; empty at the end only."""
        if self._next >= len(self._block):
            self._refill()
        return self._block[self._next : self._next + count]

    def skip(self, count: int) -> None:
        """Take `count` of the lines that `ahead` returned."""
        self._next += count

    def _refill(self) -> bool:
        self._block, self._next = next(self._blocks, []), 0
        return bool(self._block)

    def _read(self, stream: TextIO) -> Iterator[list[str]]:
        parts: list[str] = []  # of a line whose end has not been read
        size = 0
        while chunk := stream.read(BLOCK_CHARS):
            head, end, rest = chunk.partition("\n")
            if size <= self._longest:
                parts.append(head)
                size += len(head)
            if not end:
                continue
            lines = rest.split("\n")
            yield [self._whole(parts), *lines[:-1]]
            parts, size = [lines[-1]], len(lines[-1])
        if parts != [""] and parts:
            yield [self._whole(parts)]

    def _whole(self, parts: list[str]) -> str:
        line = parts[0] if len(parts) == 1 else "".join(parts)
        if len(line) <= self._longest:
            return line
        self.cut += 1
        return line[: self._longest]
