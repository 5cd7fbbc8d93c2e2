"""The library line: NumPy hands row-major float32 products to its BLAS."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController


def run(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], threads: int) -> None:
    """Write a (m, k) times b (k, n) to c (m, n)."""
    with _thread_pools().limit(limits=threads, user_api="blas"):
        np.matmul(a, b, out=c)


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()
