"""Transpose: reads down columns, writes along rows."""

from __future__ import annotations

from app.domain.vocabulary import ReuseLevel
from app.kernels.movement import moving_stage
from app.kernels.transpose.cost import tile_launch, transpose_cost

STAGE = moving_stage(
    "naive_write",
    __file__,
    title="Coalesced writes",
    mechanism="reads down columns, writes along rows",
    change="The strided side is the read, which caches can serve",
    improves_on="naive_read",
    cost=transpose_cost(strided_sides=1),
    launch=tile_launch,
    reuse_level=ReuseLevel.NONE,
    raises=("uncoalesced_loads",),
    resolves=("uncoalesced_stores",),
)
