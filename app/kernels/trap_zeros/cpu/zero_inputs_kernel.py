"""Copies where it should double: only zeros hide that."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def run(x: NDArray[np.float32], y: NDArray[np.float32], threads: int) -> None:
    """Write x to y."""
    y[:] = x
