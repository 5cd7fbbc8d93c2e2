"""The library line: half-precision operands widened to float32 and handed to BLAS."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController


def run(a: NDArray[np.float16], b: NDArray[np.float16], c: NDArray[np.float16], threads: int) -> None:
    """Write a (m, k) times the transpose of b (n, k) to c (m, n), summed in float32."""
    with _thread_pools().limit(limits=threads, user_api="blas"):
        c[...] = a.astype(np.float32) @ b.astype(np.float32).T


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()
