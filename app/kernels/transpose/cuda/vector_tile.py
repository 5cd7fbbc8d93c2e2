"""Transpose: 64×64 tile, float4 on both sides, XOR swizzle."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import ReuseLevel
from app.kernels.movement import moving_stage
from app.kernels.stage import Launch
from app.kernels.transpose.cost import transpose_cost

TILE = 64


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["columns"] // TILE), -(-size["rows"] // TILE), 1), block=(256, 1, 1))


STAGE = moving_stage(
    "vector_tile",
    __file__,
    title="Vector tile",
    mechanism="64×64 tile, float4 on both sides, XOR swizzle",
    change="A quarter of the loads and stores carry the same bytes",
    improves_on="swizzle",
    cost=transpose_cost(strided_sides=0, store_wavefronts=1, load_wavefronts=1),
    launch=_launch,
    reuse_level=ReuseLevel.SHARED,
)
