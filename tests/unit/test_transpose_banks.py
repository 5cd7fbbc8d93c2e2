"""The wavefronts that each transpose declares, against the model of the banks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.analysis.bank_conflicts import wavefronts
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, Level
from app.kernels import registry

TILE = 32
Place = Callable[[int, int], int]
WHOLE_TILES = Size.of(rows=1024, columns=2048)

TILES: list[tuple[str, Place, bool]] = [
    ("tile32", lambda row, column: row * TILE + column, False),
    ("tile33", lambda row, column: row * (TILE + 1) + column, False),
    ("swizzle", lambda row, column: row * TILE + (column ^ row), False),
    (
        "strided_store",
        lambda row, column: column * TILE + row,
        True,
    ),  # filled down columns, read the same way
]


@pytest.mark.parametrize(("name", "place", "reads_as_stored"), TILES, ids=[name for name, _, _ in TILES])
def test_a_tile_declares_the_wavefronts_of_its_layout(name: str, place: Place, reads_as_stored: bool) -> None:
    along = [wavefronts([4 * place(row, lane) for lane in range(TILE)]) for row in range(TILE)]
    down = [wavefronts([4 * place(lane, column) for lane in range(TILE)]) for column in range(TILE)]
    of_a_tile = sum(along) + sum(along if reads_as_stored else down)
    tiles = WHOLE_TILES["rows"] * WHOLE_TILES["columns"] // TILE**2
    cost = registry.stage("transpose", BackendName.CUDA, name).cost(WHOLE_TILES, Dtype.FLOAT32)
    assert cost.bytes_by_level[Level.SHARED] == 128 * of_a_tile * tiles


def vector_place(row: int, column: int) -> int:
    return row * 64 + ((column // 4) ^ (row // 4 & 7)) * 4 + column % 4


def test_the_vector_tile_stores_and_gathers_without_excess() -> None:
    """16 lanes store a row of float4; a warp gathers 4 columns of 8 groups of 4 rows, a word at a time."""
    for warp in range(32):
        rows_of_warp = [(2 * warp + lane // 16, 4 * (lane % 16)) for lane in range(32)]
        assert wavefronts([4 * vector_place(row, column) for row, column in rows_of_warp], 16) == 4
        top, left = warp % 2 * 32, warp // 2 * 4
        for word in range(4):
            gathered = [vector_place(top + lane % 8 * 4 + word, left + lane // 8) for lane in range(32)]
            assert wavefronts([4 * place for place in gathered]) == 1
