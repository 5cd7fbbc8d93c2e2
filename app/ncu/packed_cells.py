"""The cells of a wide row as one text: split into 2,200 strings only where somebody reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload


class PackedCells(Sequence[str]):
    """Reads as a tuple of cells. `between` stands between two of them and in none."""

    __slots__ = ("_between", "_cells", "_count", "text")

    def __init__(self, text: str, between: str) -> None:
        self.text = text
        self._between = between
        self._count = text.count(between) + 1
        self._cells: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if self._cells is None:
            self._cells = tuple(self.text.split(self._between))
        return self._cells[index]

    def joined(self, between: str) -> str:
        """The cells with something else between them."""
        return self.text.replace(self._between, between)

    def peek(self, place: int) -> str:
        """One cell near the front, without splitting the rest."""
        return self.text.split(self._between, place + 1)[place]
