"""Whole tiles, whole waves: how much of a device a grid fills, and slices of the sum that fill the rest."""

from __future__ import annotations

from dataclasses import dataclass

from app.analysis.quantisation import matmul_tiles, tile_efficiency, tiles_of, wave_efficiency, waves
from app.analysis.split_k import SplitTime, SplitWork, fastest, split_times
from app.analysis.tiling import matmul_flop


@dataclass(frozen=True)
class TiledGrid:
    """C (m x n) in tiles, on SMs that hold `blocks_per_sm` of them at once."""

    m: int
    n: int
    block_m: int
    block_n: int
    sm_count: int
    blocks_per_sm: int

    @property
    def blocks_at_once(self) -> int:
        """Tiles of one wave."""
        return self.sm_count * self.blocks_per_sm

    @property
    def tiles(self) -> int:
        """Tiles of the whole grid."""
        return matmul_tiles(self.m, self.n, self.block_m, self.block_n)


@dataclass(frozen=True)
class Waves:
    """Both kinds of quantisation. Fractions 0 to 1; `waves_exact` before rounding up."""

    grid: TiledGrid
    tiles: int
    waves: int
    waves_exact: float
    tile_efficiency_fraction: float
    wave_efficiency_fraction: float
    last_wave_blocks: int
    next_cliff_m: int

    @property
    def efficiency_fraction(self) -> float:
        """Share of all the places and results computed that count."""
        return self.tile_efficiency_fraction * self.wave_efficiency_fraction


@dataclass(frozen=True)
class SplitRequest:
    """A grid of tiles, each result a sum of `k` terms in steps of block_k, and two roofs of the device.

    partial_bytes: of one partial result, 4 for float32. most_slices: how far to look.
    """

    grid: TiledGrid
    k: int
    block_k: int
    partial_bytes: int
    peak_flop_per_s: float
    bandwidth_bytes_per_s: float
    most_slices: int


@dataclass(frozen=True)
class SplitAnswer:
    """The modelled time of each number of slices, from 1 up."""

    request: SplitRequest
    times: tuple[SplitTime, ...]

    @property
    def best(self) -> SplitTime:
        """The fastest, the fewest slices of equals."""
        return fastest(self.times)

    @property
    def speed_up(self) -> float:
        """Time without splitting over the best time; 1 where splitting does not pay."""
        return self.times[0].total_s / self.best.total_s

    @property
    def break_even_slices(self) -> int | None:
        """The fewest slices that beat one; None where none does."""
        return next((t.slices for t in self.times if t.total_s < self.times[0].total_s), None)


def waves_of(grid: TiledGrid) -> Waves:
    """Tile and wave quantisation of a grid."""
    tiles, at_once = grid.tiles, grid.blocks_at_once
    count = waves(tiles, at_once)
    return Waves(
        grid=grid,
        tiles=tiles,
        waves=count,
        waves_exact=tiles / at_once,
        tile_efficiency_fraction=tile_efficiency(grid.m, grid.n, grid.block_m, grid.block_n),
        wave_efficiency_fraction=wave_efficiency(tiles, at_once),
        last_wave_blocks=tiles - (count - 1) * at_once,
        next_cliff_m=_next_cliff(grid, count),
    )


def _next_cliff(grid: TiledGrid, count: int) -> int:
    """The least m above this one that takes a wave more."""
    columns = tiles_of(grid.n, grid.block_n)
    full_rows = count * grid.blocks_at_once // columns
    return full_rows * grid.block_m + 1


def split_answer(request: SplitRequest) -> SplitAnswer:
    """The modelled times, from no split up to `most_slices` or one step a slice."""
    grid = request.grid
    steps = tiles_of(request.k, request.block_k)
    step_flop = matmul_flop(grid.block_m, grid.block_n, request.block_k)
    work = SplitWork(
        tiles=grid.tiles,
        at_once=grid.blocks_at_once,
        steps=steps,
        step_s=step_flop * grid.blocks_at_once / request.peak_flop_per_s,
        result_bytes=grid.m * grid.n * request.partial_bytes,
        bandwidth_bytes_per_s=request.bandwidth_bytes_per_s,
    )
    return SplitAnswer(request, split_times(work, min(request.most_slices, steps)))
