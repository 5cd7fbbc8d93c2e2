"""Structure of arrays."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.movement import THREADS, blocks_of, moving_stage, useful
from app.kernels.stage import Cost

FIELDS_MOVED = 2


def _cost(size: Size, dtype: Dtype) -> Cost:
    item = size["n"] * dtype.item_bytes
    return useful(3 * item, (FIELDS_MOVED + 1) * item, flop=2 * size["n"])


STAGE = moving_stage(
    "soa",
    __file__,
    title="Structure of arrays",
    mechanism="one array a field",
    change="Neighbouring lanes read neighbouring words",
    improves_on="aos",
    cost=_cost,
    launch=lambda size: blocks_of(size["n"], THREADS),
)
