"""Transpose: column XOR row instead of padding."""

from __future__ import annotations

from app.domain.vocabulary import ReuseLevel
from app.kernels.movement import moving_stage
from app.kernels.transpose.cost import tile_launch, transpose_cost

STAGE = moving_stage(
    "swizzle",
    __file__,
    title="Swizzled tile",
    mechanism="column XOR row instead of padding",
    change="No word is spent on padding",
    improves_on="tile32",
    cost=transpose_cost(strided_sides=0, store_wavefronts=1, load_wavefronts=1),
    launch=tile_launch,
    reuse_level=ReuseLevel.SHARED,
    resolves=("shared_wavefronts",),
)
