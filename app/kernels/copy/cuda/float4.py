"""One 16-byte load a thread; the size must be a multiple of 4."""

from __future__ import annotations

from app.kernels.copy.cost import copy_cost
from app.kernels.movement import THREADS, blocks_of, moving_stage, multiple_of

STAGE = moving_stage(
    "float4",
    __file__,
    title="float4",
    mechanism="one 16-byte load a thread",
    change="A quarter of the loads carry the same bytes: 512 bytes a warp under way",
    improves_on="scalar",
    source="float4_copy",  # `float4` is a type of the language
    cost=copy_cost,
    launch=lambda size: blocks_of(size["n"], 4 * THREADS),
    why_not=multiple_of("n", 4),
    resolves=("scalar_loads",),
)
