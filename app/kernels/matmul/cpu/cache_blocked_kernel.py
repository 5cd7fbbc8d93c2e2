"""Loops i, k, j inside blocks of 128 rows, 64 terms and 512 columns, on one core."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

ROWS, COLUMNS, DEPTH = 128, 512, 64


def run(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], threads: int) -> None:
    """Write a (m, k) times b (k, n) to c (m, n)."""
    _product(a, b, c)


@njit(cache=True, fastmath={"contract"})
def _product(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32]) -> None:
    m, n = c.shape
    k = a.shape[1]
    c[:] = 0
    block = np.empty((DEPTH, COLUMNS), np.float32)
    for i0 in range(0, m, ROWS):
        for p0 in range(0, k, DEPTH):
            for j0 in range(0, n, COLUMNS):
                depth = min(DEPTH, k - p0)
                for p in range(depth):
                    for j in range(min(COLUMNS, n - j0)):
                        block[p, j] = b[p0 + p, j0 + j]
                for i in range(i0, min(i0 + ROWS, m)):
                    _add_rows(a[i, p0 : p0 + depth], block, c[i, j0 : j0 + COLUMNS])


@njit(cache=True, fastmath={"contract"})
def _add_rows(factors: NDArray[np.float32], block: NDArray[np.float32], total: NDArray[np.float32]) -> None:
    for p in range(factors.size):
        factor = factors[p]
        for j in range(total.size):
            total[j] += factor * block[p, j]
