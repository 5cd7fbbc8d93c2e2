"""Traffic and launches that both stages share."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.atomic_contention.problem import BINS
from app.kernels.stage import Cost, Launch

THREADS = 256
LARGEST_GRID = 1056  # eight blocks an SM on 132 SMs


def histogram_cost(size: Size, dtype: Dtype) -> Cost:
    """Each value read once, each bin written once; counting is no floating-point work."""
    moved = (size["n"] + BINS) * dtype.item_bytes
    return Cost(0, moved, {Level.DRAM: moved})


def histogram_launch(size: Size) -> Launch:
    """Blocks that stride over the values; launch 0 clears the bins, launch 1 counts."""
    return Launch(grid=(min(LARGEST_GRID, -(-size["n"] // THREADS)), 1, 1), block=(THREADS, 1, 1), launches=2)
