"""Work and traffic that both stages share."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.branch_divergence.problem import ROUNDS
from app.kernels.stage import Cost, Launch

THREADS = 256


def branch_cost(size: Size, dtype: Dtype) -> Cost:
    """A multiply-add a round and element; each element read and written once."""
    moved = 2 * size["n"] * dtype.item_bytes
    return Cost(2 * ROUNDS * size["n"], moved, {Level.DRAM: moved, Level.L2: moved})


def branch_launch(size: Size) -> Launch:
    """A thread an element."""
    return Launch(grid=(-(-size["n"] // THREADS), 1, 1), block=(THREADS, 1, 1))
