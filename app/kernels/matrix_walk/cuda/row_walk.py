"""Lanes run along a row."""

from __future__ import annotations

from app.analysis.coalescing import strided_sectors
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.movement import THREADS, moving_stage, sector_bytes
from app.kernels.stage import Cost, Launch


def _cost(size: Size, dtype: Dtype) -> Cost:
    count = size["rows"] * size["columns"]
    moved = 2 * count * dtype.item_bytes
    sectors = max(moved, 2 * sector_bytes(strided_sectors(1), count))
    return Cost(count, moved, {Level.DRAM: moved, Level.L2: sectors, Level.L1: sectors})


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["columns"] // THREADS), size["rows"], 1), block=(THREADS, 1, 1))


STAGE = moving_stage(
    "row_walk",
    __file__,
    title="Row walk",
    mechanism="lanes along a row",
    change="Neighbouring lanes read neighbouring words",
    improves_on="column_walk",
    cost=_cost,
    launch=_launch,
)
