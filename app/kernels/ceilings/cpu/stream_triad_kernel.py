"""STREAM triad on all cores, each over a contiguous part."""

from __future__ import annotations

import numpy as np
from numba import njit, prange, set_num_threads
from numpy.typing import NDArray

CHUNK = 65_536


def run(x: NDArray[np.float32], y: NDArray[np.float32], z: NDArray[np.float32], threads: int) -> None:
    """Write x + 0 y to z (all of n elements), reading both."""
    set_num_threads(threads)
    _triad(x, y, z, np.float32(0.0))


@njit(cache=True, parallel=True, fastmath={"contract"})
def _triad(x: NDArray[np.float32], y: NDArray[np.float32], z: NDArray[np.float32], scale: np.float32) -> None:
    for chunk in prange((z.size + CHUNK - 1) // CHUNK):
        begin, end = chunk * CHUNK, min((chunk + 1) * CHUNK, z.size)
        _triad_chunk(x[begin:end], y[begin:end], z[begin:end], scale)


@njit(cache=True, fastmath={"contract"})
def _triad_chunk(
    x: NDArray[np.float32], y: NDArray[np.float32], z: NDArray[np.float32], scale: np.float32
) -> None:
    for i in range(z.size):
        z[i] = x[i] + scale * y[i]
