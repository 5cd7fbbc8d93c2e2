"""Transpose: a tile of 33 words a row."""

from __future__ import annotations

from app.domain.vocabulary import ReuseLevel
from app.kernels.movement import moving_stage
from app.kernels.transpose.cost import tile_launch, transpose_cost

STAGE = moving_stage(
    "tile33",
    __file__,
    title="Padded tile",
    mechanism="a tile of 33 words a row",
    change="A column of the tile lies in 32 banks",
    improves_on="tile32",
    cost=transpose_cost(strided_sides=0, store_wavefronts=1, load_wavefronts=1),
    launch=tile_launch,
    reuse_level=ReuseLevel.SHARED,
    resolves=("shared_wavefronts",),
)
