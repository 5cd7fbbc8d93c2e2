"""Cost of one matmul launch from the tile shapes of a stage."""

from __future__ import annotations

from collections.abc import Callable

from app.analysis.tiling import least_matmul_bytes, matmul_flop, operand_bytes, result_update_bytes
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.stage import Cost

WHOLE = 2**31  # a tile edge longer than any extent: the operand passes once

CostOfSize = Callable[[Size, Dtype], Cost]


def tiled_cost(
    tiles: dict[Level, tuple[int, int]], update_depths: dict[Level, int] | None = None
) -> CostOfSize:
    """Operand bytes per level for tiles of (rows, columns) results at that level.

    update_depths: levels at which C is read and written again, once per so many terms of the sum.
    """
    depths = update_depths or {}

    def cost(size: Size, dtype: Dtype) -> Cost:
        m, n, k, item = size["m"], size["n"], size["k"], dtype.item_bytes
        moved = {
            level: operand_bytes(m, n, k, rows, columns, item) for level, (rows, columns) in tiles.items()
        }
        for level, depth in depths.items():
            moved[level] += result_update_bytes(m, n, k, depth, item)
        return Cost(matmul_flop(m, n, k), least_matmul_bytes(m, n, k, item), moved)

    return cost


def library_cost(size: Size, dtype: Dtype) -> Cost:
    """A library line states no bytes of its own: only what any implementation must do."""
    m, n, k = size["m"], size["n"], size["k"]
    return Cost(matmul_flop(m, n, k), least_matmul_bytes(m, n, k, dtype.item_bytes), {})
