"""All scores of a head at once, in float32."""

from __future__ import annotations

from functools import cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

Halves = NDArray[np.float16]


def run(q: Halves, k: Halves, v: Halves, o: Halves, threads: int) -> None:
    """Write softmax(q kᵀ / √d) v to o, arrays (heads, length, d); a length × length array a head."""
    with _thread_pools().limit(limits=threads, user_api="blas"):
        for head in range(q.shape[0]):
            keys, values = k[head].astype(np.float32), v[head].astype(np.float32)
            scores = q[head].astype(np.float32) @ keys.T / np.float32(sqrt(q.shape[2]))
            weights = np.exp(scores - scores.max(axis=1, keepdims=True))
            o[head] = (weights @ values) / weights.sum(axis=1, keepdims=True)


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()
