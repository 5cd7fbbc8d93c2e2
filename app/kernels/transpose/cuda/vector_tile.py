"""Transpose: 64×64 tile, float4 on both sides, XOR swizzle; then in the order of what it writes."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import ReuseLevel
from app.kernels.movement import moving_stage
from app.kernels.stage import Launch
from app.kernels.transpose.cost import transpose_cost

TILE = 64


def _tiles(size: Size) -> tuple[int, int]:
    return -(-size["columns"] // TILE), -(-size["rows"] // TILE)


def _along_rows(size: Size) -> Launch:
    across, down = _tiles(size)
    return Launch(grid=(across, down, 1), block=(256, 1, 1))


def _down_columns(size: Size) -> Launch:
    across, down = _tiles(size)
    return Launch(grid=(down, across, 1), block=(512, 1, 1))


_COST = transpose_cost(strided_sides=0, store_wavefronts=1, load_wavefronts=1)

STAGES = (
    moving_stage(
        "vector_tile",
        __file__,
        title="Vector tile",
        mechanism="64×64 tile, float4 on both sides, XOR swizzle",
        change="A quarter of the loads and stores carry the same bytes",
        improves_on="swizzle",
        cost=_COST,
        launch=_along_rows,
        reuse_level=ReuseLevel.SHARED,
    ),
    moving_stage(
        "write_order",
        __file__,
        title="Vector tile, in write order",
        mechanism="neighbouring blocks write one row of y",
        change="Blocks walk down x, so that writes reach DRAM in whole rows; 512 threads share a tile",
        improves_on="vector_tile",
        source="vector_tile",
        cost=_COST,
        launch=_down_columns,
        reuse_level=ReuseLevel.SHARED,
        compile_options=("-DTHREADS=512", "-DDOWN=1"),
    ),
)
