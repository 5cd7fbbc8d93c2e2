"""Work, traffic and grid that both stages share: the same 64 x 64 x 32 tiles, only the pipe differs."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.stage import Cost, Launch

TILE = 64
THREADS = 128


def half_matmul_cost(size: Size, dtype: Dtype) -> Cost:
    """2 m n k operations; a tile of C reads its rows of A and columns of B once and writes itself."""
    m, n, k = size["m"], size["n"], size["k"]
    rows, columns = -(-m // TILE), -(-n // TILE)
    result_bytes = m * n * Dtype.FLOAT32.item_bytes
    least = (m * k + k * n) * dtype.item_bytes + result_bytes
    asked = (columns * m * k + rows * k * n) * dtype.item_bytes + result_bytes
    return Cost(2 * m * n * k, least, {Level.DRAM: asked, Level.L2: asked})


def half_matmul_launch(size: Size) -> Launch:
    """A block a tile of C."""
    return Launch(grid=(-(-size["n"] // TILE), -(-size["m"] // TILE), 1), block=(THREADS, 1, 1))
