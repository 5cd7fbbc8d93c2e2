"""Whole tiles of C only, as a grid of n / TILE blocks computes them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

TILE = 32


def run(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], threads: int) -> None:
    """Write a (n, n) times b (n, n) to c, but for the rows and columns beyond the last whole tile."""
    whole = len(c) // TILE * TILE
    c[:whole, :whole] = a[:whole] @ b[:, :whole]
