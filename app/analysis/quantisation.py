"""Work comes in whole tiles and whole waves: what that leaves idle, and slices of a sum that fill the GPU.

Tile quantisation: the last tile of a row or column computes results that do not exist. Wave quantisation:
the last round of blocks leaves multiprocessors idle. Both as in L24 §0.3 (NVIDIA's "Matrix multiplication
background user's guide" names them so). All counts are exact whole numbers.
"""

from __future__ import annotations


def tiles_of(extent: int, tile: int) -> int:
    """Tiles that cover an extent; the last may reach over its end."""
    return -(-extent // tile)


def matmul_tiles(m: int, n: int, tile_rows: int, tile_columns: int) -> int:
    """Tiles of tile_rows x tile_columns that cover m x n results."""
    return tiles_of(m, tile_rows) * tiles_of(n, tile_columns)


def tile_efficiency(m: int, n: int, tile_rows: int, tile_columns: int) -> float:
    """Share of the computed results that exist, 0 to 1: 1 where tiles divide the size."""
    return m * n / (matmul_tiles(m, n, tile_rows, tile_columns) * tile_rows * tile_columns)


def waves(blocks: int, at_once: int) -> int:
    """Rounds in which `blocks` equal blocks run when the device holds `at_once` of them."""
    return -(-blocks // at_once)


def wave_efficiency(blocks: int, at_once: int) -> float:
    """Share of the places of all rounds that hold a block, 0 to 1: 1 where the rounds are full."""
    return blocks / (waves(blocks, at_once) * at_once)


def slices_to_fill(tiles: int, at_once: int, steps: int, least_steps: int) -> int:
    """Into how many slices to cut a sum of `steps` steps so that tiles x slices blocks fill one wave.

    At least one slice; none shorter than `least_steps` where the sum is longer; none empty when each takes
    ceil(steps / slices) of them in turn.
    """
    wanted = max(1, min(at_once // tiles, steps // least_steps))
    return -(-steps // -(-steps // wanted))
