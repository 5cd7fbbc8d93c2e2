"""A right product; what is wrong is the count of its operations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def run(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], threads: int) -> None:
    """Write a (n, n) times b (n, n) to c."""
    np.matmul(a, b, out=c)
