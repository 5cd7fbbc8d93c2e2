"""Work and traffic that both stages share."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.stage import Cost

THREADS = 256


def line_cost(size: Size, dtype: Dtype) -> Cost:
    """A multiply-add an element; each element read and written once."""
    moved = 2 * size["n"] * dtype.item_bytes
    return Cost(2 * size["n"], moved, {Level.DRAM: moved, Level.L2: moved})
