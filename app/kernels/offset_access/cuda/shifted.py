"""Reads that begin some words after a sector border."""

from __future__ import annotations

from app.analysis.coalescing import strided_sectors
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.movement import THREADS, blocks_of, moving_stage, sector_bytes
from app.kernels.stage import Cost


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = size["n"] * dtype.item_bytes
    asked = max(moved, sector_bytes(strided_sectors(1, size["offset"]), size["n"]))
    return Cost(0, 2 * moved, {Level.DRAM: 2 * moved, Level.L1: asked + moved})


STAGE = moving_stage(
    "shifted",
    __file__,
    title="Shifted read",
    mechanism="lane i reads word i plus offset",
    change="Where the slice begins",
    cost=_cost,
    launch=lambda size: blocks_of(size["n"], THREADS),
)
