"""Cold caches on the CPU: read one value of every line of a buffer larger than the last-level cache."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

_Part = NDArray[np.float64]

_LINE_BYTES = 64
_TIMES_CACHE = 2
_ASSUMED_CACHE_BYTES = 64 << 20
_LARGEST_BYTES = 1 << 30
_LARGEST_SHARE_OF_MEMORY = 8  # at most an eighth of what is free


class CacheEvictor:
    """One buffer, allocated once, read by all cores before each cold sample.

    Reading suffices: lines of the buffer take the place of the kernel's, whose changed ones are written
    back. `description` says what was done and what could not be.
    """

    def __init__(self, cache_bytes: int | None, free_bytes: int, threads: int) -> None:
        wanted = _TIMES_CACHE * (cache_bytes or _ASSUMED_CACHE_BYTES)
        self.buffer_bytes = max(
            _LINE_BYTES, min(wanted, _LARGEST_BYTES, free_bytes // _LARGEST_SHARE_OF_MEMORY)
        )
        self.description = _describe(cache_bytes, wanted, self.buffer_bytes)
        self._parts: list[_Part] = []
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="evict")

    def allocate(self) -> None:
        """Take the memory, so that no cold sample pays for it; later calls do nothing. Raises MemoryError."""
        if self._parts:
            return
        parts = np.array_split(np.empty(self.buffer_bytes // 8), self._threads)
        # Untouched memory would all map to one physical page of zeros, which fits in any cache.
        _each(self._pool, _touch, parts)
        self._parts = parts

    def evict(self) -> None:
        """Read the buffer, each thread its part; returns when all have."""
        self.allocate()
        _each(self._pool, _read_lines, self._parts)

    def close(self) -> None:
        """End the threads and drop the buffer."""
        self._pool.shutdown()
        self._parts = []


def _each(pool: ThreadPoolExecutor, act: Callable[[_Part], object], parts: Sequence[_Part]) -> None:
    for _ in pool.map(act, parts):
        pass


def _touch(part: _Part) -> None:
    part.fill(1.0)


def _read_lines(part: _Part) -> float:
    return float(part[:: _LINE_BYTES // part.itemsize].sum())


def _describe(cache_bytes: int | None, wanted: int, used: int) -> str:
    mib = 1 << 20
    cache = (
        "unknown last-level cache, 64 MiB assumed"
        if cache_bytes is None
        else f"{cache_bytes // mib} MiB last-level cache"
    )
    text = f"reads a buffer of {used // mib} MiB before each cold sample ({cache})"
    if used < wanted:
        text += f"; {wanted // mib} MiB would be twice the cache, so parts of it may stay warm"
    return text
