"""Reads with a gap between lanes."""

from __future__ import annotations

from app.analysis.coalescing import strided_sectors
from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.movement import THREADS, blocks_of, moving_stage, sector_bytes, useful
from app.kernels.stage import Cost


def _cost(size: Size, dtype: Dtype) -> Cost:
    written = size["n"] * dtype.item_bytes
    read = max(written, sector_bytes(strided_sectors(size["stride"]), size["n"]))
    return useful(2 * written, read + written, flop=size["n"])


STAGE = moving_stage(
    "strided",
    __file__,
    title="Strided read",
    mechanism="lane i reads word i times stride",
    change="The gap between lanes",
    cost=_cost,
    launch=lambda size: blocks_of(size["n"], THREADS),
)
