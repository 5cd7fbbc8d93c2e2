"""Two kernels of the matmul ladder by what they ask of an SM: 64 warps of 32 registers, 16 of 128."""

from __future__ import annotations

from dataclasses import replace

from app.kernels.matmul.cuda import block_tile, register_tile

STAGES = (
    replace(
        block_tile.STAGE,
        name="full",
        title="100 % occupancy",
        mechanism="1024 threads of 32 registers, one result each",
        change="Every warp that the SM can hold is there",
        improves_on=None,
        claims=(),
        raises=(),
        resolves=(),
    ),
    replace(
        register_tile.STAGE,
        name="quarter",
        title="25 % occupancy",
        mechanism="256 threads of 128 registers, 64 results each",
        change="A quarter of the warps, each with 64 independent sums and an eighth of the shared words",
        improves_on="full",
        claims=(),
        raises=(),
        resolves=(),
    ),
)
