"""Triple loop i, j, k on one core: the inner loop strides through B by a whole row."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


def run(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], threads: int) -> None:
    """Write a (m, k) times b (k, n) to c (m, n)."""
    _product(a, b, c)


@njit(cache=True)
def _product(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32]) -> None:
    m, n = c.shape
    k = a.shape[1]
    for i in range(m):
        for j in range(n):
            total = np.float32(0.0)
            for p in range(k):
                total += a[i, p] * b[p, j]
            c[i, j] = total
