"""What a transpose moves: the matrix twice, and by the sectors of its strided side."""

from __future__ import annotations

from collections.abc import Callable

from app.analysis.coalescing import strided_sectors
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.movement import sector_bytes
from app.kernels.stage import Cost, Launch

TILE = 32
TILE_ROWS = 8  # rows of threads; each thread takes TILE / TILE_ROWS elements


def transpose_cost(
    *, strided_sides: int, store_wavefronts: int = 0, load_wavefronts: int = 0
) -> Callable[[Size, Dtype], Cost]:
    """strided_sides: how many of read and write touch a sector a lane. Wavefronts: of each tile access."""

    def cost(size: Size, dtype: Dtype) -> Cost:
        count = size["rows"] * size["columns"]
        moved = 2 * count * dtype.item_bytes
        coalesced, strided = sector_bytes(strided_sectors(1), count), sector_bytes(strided_sectors(32), count)
        levels = {
            Level.DRAM: moved,
            Level.L2: (2 - strided_sides) * coalesced + strided_sides * strided,
        }
        if store_wavefronts:
            levels[Level.SHARED] = coalesced * (store_wavefronts + load_wavefronts)
        return Cost(0, moved, levels)

    return cost


def tile_launch(size: Size) -> Launch:
    """A block a 32 x 32 tile of x."""
    return Launch(grid=(-(-size["columns"] // TILE), -(-size["rows"] // TILE), 1), block=(TILE, TILE_ROWS, 1))
