"""Rows of a long table put together by launch: those that stand one below the other with the same key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter

from app.domain.report import LaunchProfile
from app.ncu.columns import Header
from app.ncu.page import Reading

SHORT = "rows without a value column (cut off)"
TOO_MANY = "rows of one launch beyond the limit"


class RowsByLaunch:
    """Gathers the rows of the launch that is open; `close` makes the launch of them.

    `close` is given the cells that the rows have in common, and of each row the cells behind them.
    """

    def __init__(
        self,
        header: Header,
        key_places: Sequence[int],
        least_cells: int,
        reading: Reading,
        close: Callable[[Sequence[str], Sequence[Sequence[str]]], LaunchProfile],
    ) -> None:
        self._width = header.shared_width
        self._key_of = itemgetter(*key_places)
        self._least = max(least_cells, max(key_places) + 1)
        self._reading, self._close = reading, close
        self._key: object = None
        self._seen: set[object] = set()
        self._front: Sequence[str] = ()
        self._rows: list[Sequence[str]] = []

    def take(self, rows: Sequence[Sequence[str]], shared: Sequence[str]) -> Iterator[LaunchProfile]:
        """The launches that these rows end."""
        least = self._least - len(shared)
        if min(map(len, rows)) < least:
            whole = [row for row in rows if len(row) >= least]
            self._reading.skipped[SHORT] += len(rows) - len(whole)
            rows = whole
        if shared and rows:
            yield from self._add(self._key_of(shared), shared, rows)
            return
        for row in rows:
            yield from self._add(self._key_of(row), row[: self._width], [row[self._width :]])

    def _add(
        self, key: object, front: Sequence[str], rows: Sequence[Sequence[str]]
    ) -> Iterator[LaunchProfile]:
        if key != self._key:
            done = self.finish()
            self._begin(key, front)
            if done is not None:
                yield done
        self._rows += rows
        beyond = len(self._rows) - self._reading.limits.columns
        if beyond > 0:
            self._reading.skipped[TOO_MANY] += beyond
            del self._rows[-beyond:]

    def _begin(self, key: object, front: Sequence[str]) -> None:
        self._key, self._front = key, front
        if key in self._seen:
            self._reading.warn(
                "Rows of one launch stand apart in this file: it is listed once for each place."
            )
        elif len(self._seen) < self._reading.limits.launches:
            self._seen.add(key)

    def finish(self) -> LaunchProfile | None:
        """The launch that is open; None before the first."""
        rows, self._rows, self._key = self._rows, [], None
        return self._close(self._front, rows) if rows else None
