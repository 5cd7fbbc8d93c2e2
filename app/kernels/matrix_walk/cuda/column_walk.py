"""Lanes run down a column."""

from __future__ import annotations

from app.analysis.coalescing import WARP
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.movement import THREADS, moving_stage, sector_bytes
from app.kernels.stage import Cost, Launch


def _cost(size: Size, dtype: Dtype) -> Cost:
    count = size["rows"] * size["columns"]
    moved = 2 * count * dtype.item_bytes
    sectors = max(moved, 2 * sector_bytes(WARP, count))
    return Cost(count, moved, {Level.DRAM: moved, Level.L2: sectors, Level.L1: sectors})


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["rows"] // THREADS), size["columns"], 1), block=(THREADS, 1, 1))


STAGE = moving_stage(
    "column_walk",
    __file__,
    title="Column walk",
    mechanism="lanes down a column",
    change="Neighbouring lanes are a whole row apart",
    improves_on=None,
    cost=_cost,
    launch=_launch,
)
