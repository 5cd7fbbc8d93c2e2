"""Scores of a block of queries at a time: they stay in the cache between the two products."""

from __future__ import annotations

from functools import cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

Halves = NDArray[np.float16]
ROWS = 64


def run(q: Halves, k: Halves, v: Halves, o: Halves, threads: int) -> None:
    """Write softmax(q kᵀ / √d) v to o, arrays (heads, length, d); a ROWS × length array at a time."""
    scale = np.float32(1 / sqrt(q.shape[2]))
    with _thread_pools().limit(limits=threads, user_api="blas"):
        for head in range(q.shape[0]):
            keys, values = k[head].astype(np.float32).T, v[head].astype(np.float32)
            for start in range(0, q.shape[1], ROWS):
                weights = (q[head, start : start + ROWS].astype(np.float32) * scale) @ keys
                weights -= weights.max(axis=1, keepdims=True)
                np.exp(weights, out=weights)
                sums = weights.sum(axis=1, keepdims=True)
                o[head, start : start + ROWS] = (weights @ values) / sums


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()
