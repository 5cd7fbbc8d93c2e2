"""One 4-byte load a thread."""

from __future__ import annotations

from app.kernels.copy.cost import copy_cost
from app.kernels.movement import THREADS, blocks_of, moving_stage

STAGE = moving_stage(
    "scalar",
    __file__,
    title="float",
    mechanism="one 4-byte load a thread",
    change="Each warp asks for 128 bytes at a time",
    cost=copy_cost,
    launch=lambda size: blocks_of(size["n"], THREADS),
    raises=("scalar_loads",),
)
