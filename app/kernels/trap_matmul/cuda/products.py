"""CUDA traps of a matrix product."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import BackendName
from app.kernels.stage import Launch
from app.kernels.trap_matmul.declared import flop_in_32_bits, tile_without_edge
from app.kernels.trap_matmul.problem import TILE

HERE = Path(__file__).parent


def _whole_tiles(size: Size) -> Launch:
    tiles = size["n"] // TILE
    return Launch((tiles, tiles, 1), (TILE, TILE, 1))


def _every_element(size: Size) -> Launch:
    tiles = -(-size["n"] // TILE)
    return Launch((tiles, tiles, 1), (TILE, TILE, 1))


STAGES = (
    tile_without_edge(BackendName.CUDA, HERE / "tile_without_edge.cu", "tile_without_edge", _whole_tiles),
    flop_in_32_bits(BackendName.CUDA, HERE / "flop_in_32_bits.cu", "flop_in_32_bits", _every_element),
)
