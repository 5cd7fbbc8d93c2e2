"""Matmul stages that cut the sums into slices of k, so that few results still fill a GPU."""

from __future__ import annotations

from dataclasses import dataclass

from app.analysis.quantisation import matmul_tiles, slices_to_fill
from app.analysis.tiling import least_matmul_bytes, matmul_flop, operand_bytes
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.stage import Cost

# Of an H200. A launch depends on the size alone, so that a run can be repeated from its record; a GPU with
# fewer runs the slices in more than one wave, still right.
MULTIPROCESSORS = 132
PARTIAL_BYTES = 4  # sums between slices are float32
COUNTER_BYTES = 256  # the counters, one of 4 bytes a tile, take a multiple of this


@dataclass(frozen=True)
class Split:
    """How a kernel cuts m x n x k: tiles of results times slices of k.

    step: terms that a slice takes at a time. least_steps: no slice is shorter where k allows. blocks_per_sm:
    how many of its blocks a multiprocessor holds. Sizes have parameters m, n and k.
    """

    tile_rows: int
    tile_columns: int
    step: int
    least_steps: int
    blocks_per_sm: int = 1

    def tiles(self, size: Size) -> int:
        """Tiles that cover the result."""
        return matmul_tiles(size["m"], size["n"], self.tile_rows, self.tile_columns)

    def slices(self, size: Size) -> int:
        """Slices of k: as many as fill one wave."""
        steps = -(-size["k"] // self.step)
        return slices_to_fill(
            self.tiles(size), MULTIPROCESSORS * self.blocks_per_sm, steps, min(steps, self.least_steps)
        )

    def scratch_bytes(self, size: Size) -> int:
        """The counters, then a tile of float32 sums for every tile and slice; none for one slice."""
        slices = self.slices(size)
        if slices == 1:
            return COUNTER_BYTES
        tiles = self.tiles(size)
        counters = -(-4 * tiles // COUNTER_BYTES) * COUNTER_BYTES
        return counters + tiles * slices * self.tile_rows * self.tile_columns * PARTIAL_BYTES

    def cost(self, size: Size, dtype: Dtype) -> Cost:
        """Operands once a tile, and the sums of the slices written and read again."""
        m, n, k, item = size["m"], size["n"], size["k"], dtype.item_bytes
        slices = self.slices(size)
        sums = 2 * slices * m * n * PARTIAL_BYTES if slices > 1 else 0
        moved = operand_bytes(m, n, k, self.tile_rows, self.tile_columns, item) + sums
        return Cost(matmul_flop(m, n, k), least_matmul_bytes(m, n, k, item), {Level.DRAM: moved})

    def why_not_beyond(self, waves: int, size: Size) -> str | None:
        """The reason to skip a size whose tiles alone make more than so many waves."""
        tiles, most = self.tiles(size), waves * MULTIPROCESSORS * self.blocks_per_sm
        if tiles <= most:
            return None
        return (
            f"{tiles:,} tiles of {self.tile_rows}×{self.tile_columns} fill the GPU without slices of k: "
            f"splitting serves up to {most:,}"
        )
