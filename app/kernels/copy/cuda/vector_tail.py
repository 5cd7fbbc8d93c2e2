"""float4 body with a scalar tail: any size."""

from __future__ import annotations

from app.kernels.copy.cost import copy_cost
from app.kernels.movement import THREADS, blocks_of, moving_stage

STAGE = moving_stage(
    "vector_tail",
    __file__,
    title="float4 and tail",
    mechanism="float4 body, up to three scalars at the end",
    change="Takes sizes that are no multiple of 4",
    improves_on="float4",
    cost=copy_cost,
    launch=lambda size: blocks_of(size["n"], 4 * THREADS),
)
