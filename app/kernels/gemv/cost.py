"""Cost of a matrix-vector product: every weight once."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.stage import Cost, Launch

ROWS_PER_BLOCK = 8


def gemv_cost(size: Size, dtype: Dtype) -> Cost:
    """2 n k FLOP over n k weights, the vector and the results."""
    n, k = size["n"], size["k"]
    moved = (n * k + k + n) * dtype.item_bytes
    return Cost(2 * n * k, moved, {Level.DRAM: moved})


def gemv_launch(size: Size) -> Launch:
    """A warp a row."""
    return Launch(grid=(-(-size["n"] // ROWS_PER_BLOCK), 1, 1), block=(32 * ROWS_PER_BLOCK, 1, 1))
