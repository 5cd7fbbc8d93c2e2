"""Transpose: a 32×32 tile in shared memory turns the matrix."""

from __future__ import annotations

from app.domain.vocabulary import ReuseLevel
from app.kernels.movement import moving_stage
from app.kernels.transpose.cost import tile_launch, transpose_cost

STAGE = moving_stage(
    "tile32",
    __file__,
    title="Tile",
    mechanism="a 32×32 tile in shared memory turns the matrix",
    change="Both sides are coalesced; the conflict moves into shared memory",
    improves_on="naive_write",
    cost=transpose_cost(strided_sides=0, store_wavefronts=1, load_wavefronts=32),
    launch=tile_launch,
    reuse_level=ReuseLevel.SHARED,
    raises=("shared_wavefronts",),
    resolves=("uncoalesced_loads",),
)
