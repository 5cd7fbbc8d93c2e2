"""Loops i, k, j on one core: the inner loop adds a multiple of a row of B to a row of C."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


def run(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], threads: int) -> None:
    """Write a (m, k) times b (k, n) to c (m, n)."""
    _product(a, b, c)


@njit(cache=True, fastmath={"contract"})
def _product(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32]) -> None:
    m, n = c.shape
    k = a.shape[1]
    c[:] = 0
    for i in range(m):
        for p in range(k):
            factor = a[i, p]
            for j in range(n):
                c[i, j] += factor * b[p, j]
