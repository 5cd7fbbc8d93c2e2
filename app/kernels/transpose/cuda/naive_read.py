"""Transpose: reads along rows, writes down columns."""

from __future__ import annotations

from app.domain.vocabulary import ReuseLevel
from app.kernels.movement import moving_stage
from app.kernels.transpose.cost import tile_launch, transpose_cost

STAGE = moving_stage(
    "naive_read",
    __file__,
    title="Coalesced reads",
    mechanism="reads along rows, writes down columns",
    change="Every write touches a sector of its own",
    improves_on=None,
    cost=transpose_cost(strided_sides=1),
    launch=tile_launch,
    reuse_level=ReuseLevel.NONE,
    raises=("uncoalesced_stores",),
)
