"""Transpose: a tile that is written back down columns."""

from __future__ import annotations

from app.domain.vocabulary import ReuseLevel
from app.kernels.movement import moving_stage
from app.kernels.transpose.cost import tile_launch, transpose_cost

STAGE = moving_stage(
    "strided_store",
    __file__,
    title="Tile with strided stores",
    mechanism="a tile that is written back down columns",
    change="The incident: conflicts, and stores a row apart",
    improves_on=None,
    cost=transpose_cost(strided_sides=1, store_wavefronts=32, load_wavefronts=32),
    launch=tile_launch,
    reuse_level=ReuseLevel.SHARED,
    raises=(
        "shared_wavefronts",
        "uncoalesced_stores",
    ),
)
