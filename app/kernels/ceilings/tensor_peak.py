"""What the micro-benchmarks of the tensor pipe share: one element of x a thread, the same work a block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.stage import Cost, Launch

THREADS = 128
# 36 an SM of an H200, three or four of them resident: the last wave weighs little on other devices too.
BLOCKS = 132 * 36
CEILING_SIZE = Size.of(n=BLOCKS * THREADS)


@dataclass(frozen=True)
class BlockWork:
    """Instructions that a block issues and their tile, in results and depth."""

    instructions: int
    rows: int
    columns: int
    depth: int

    @property
    def flop(self) -> int:
        """Of a block: 2 m n k an instruction."""
        return 2 * self.rows * self.columns * self.depth * self.instructions


def launch(size: Size) -> Launch:
    """A thread an element."""
    return Launch(grid=(-(-size["n"] // THREADS), 1, 1), block=(THREADS, 1, 1))


def cost_of(work: BlockWork) -> Callable[[Size, Dtype], Cost]:
    """Every block does the same work, whatever it holds of x."""

    def cost(size: Size, dtype: Dtype) -> Cost:
        moved = 2 * size["n"] * dtype.item_bytes
        return Cost(work.flop * launch(size).grid[0], moved, {Level.DRAM: moved})

    return cost
