"""Tiles of 64 x 64 results, each the sum of NumPy products of 64 x 64 tiles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

TILE = 64


def run(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], threads: int) -> None:
    """Write a (m, k) times b (k, n) to c (m, n)."""
    m, n = c.shape
    k = a.shape[1]
    c[:] = 0
    for i in range(0, m, TILE):
        for j in range(0, n, TILE):
            for p in range(0, k, TILE):
                c[i : i + TILE, j : j + TILE] += a[i : i + TILE, p : p + TILE] @ b[p : p + TILE, j : j + TILE]
