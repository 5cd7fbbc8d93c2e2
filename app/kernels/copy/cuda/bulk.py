"""The bulk copy engine of Hopper and later."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import ReuseLevel
from app.kernels.copy.cost import copy_cost
from app.kernels.movement import moving_stage
from app.kernels.stage import Launch, Needs

RING_BYTES = 4 * 16_384
BLOCKS = 132 * 3  # three rings fill an SM's shared memory
PIECE_ELEMENTS = 4096


def _launch(size: Size) -> Launch:
    pieces = -(-size["n"] // PIECE_ELEMENTS)
    return Launch(grid=(min(pieces, BLOCKS), 1, 1), block=(32, 1, 1), dynamic_shared_bytes=RING_BYTES)


STAGE = moving_stage(
    "bulk",
    __file__,
    title="Bulk copy engine",
    mechanism="cp.async.bulk through a ring in shared memory",
    change="One thread a block moves 16 KB pieces; no load instruction touches the data",
    improves_on="vector_tail",
    cost=copy_cost,
    launch=_launch,
    needs=Needs(compute_capability=(9, 0), shared_bytes_per_block=RING_BYTES),
    reuse_level=ReuseLevel.SHARED,
)
