"""Random inputs drawn on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

_MOST_DRAWN = 1 << 24
_PRIME_PERIOD = 1_048_573


def draw_normal(array: Any, seed: int) -> None:  # noqa: ANN401 - any real type
    """N(0, 1); past `_MOST_DRAWN` values they repeat, with a prime period that no stride or tile divides."""
    drawn = array.size if array.size <= _MOST_DRAWN else _PRIME_PERIOD
    values = np.random.default_rng(seed).standard_normal(drawn, dtype=np.float32)
    flat = array.reshape(-1)
    for start in range(0, flat.size, drawn):
        part = flat[start : start + drawn]
        part[:] = values[: part.size]
