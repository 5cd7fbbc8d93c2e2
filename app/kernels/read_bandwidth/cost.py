"""What every stage of the read sweep shares: grid, cost, and the sets that it can read."""

from __future__ import annotations

from collections.abc import Callable

from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.read_bandwidth.problem import BLOCKS, KIB, READ_BYTES, THREADS, THREADS_PER_BLOCK
from app.kernels.stage import Cost, Launch


def read_cost(level: Level) -> Callable[[Size, Dtype], Cost]:
    """The set read and the sums written once at DRAM, READ_BYTES asked of `level`."""

    def cost(size: Size, dtype: Dtype) -> Cost:
        least = size["kib"] * KIB + THREADS * dtype.item_bytes
        return Cost(0, least, {Level.DRAM: least, level: READ_BYTES})

    return cost


def launch(size: Size) -> Launch:
    """The same grid for every set, so that only where the bytes lie differs."""
    return Launch(grid=(BLOCKS, 1, 1), block=(THREADS_PER_BLOCK, 1, 1))


def not_a_power_of_two(size: Size) -> str | None:
    """Why this set cannot be read in whole passes, or None."""
    kib = size["kib"]
    if kib & (kib - 1) == 0:
        return None
    return f"{kib} KiB is no power of two, so 4 GiB are no whole number of passes. Choose a power of two."
