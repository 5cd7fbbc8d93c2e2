"""Traffic and intensity of tiled matmul against figures worked out by hand."""

from __future__ import annotations

import pytest

from app.analysis import tiling


@pytest.mark.parametrize(
    ("rows", "columns", "expected"),
    [(128, 128, 32.0), (8, 8, 2.0), (1, 1, 0.25), (16, 16, 4.0), (32, 32, 8.0)],
)
def test_tile_intensity(rows: int, columns: int, expected: float) -> None:
    assert tiling.tile_intensity(rows, columns) == expected


def test_ideal_intensity_of_the_lecture() -> None:
    assert tiling.ideal_intensity(4096, 4096, 4096, 4) == pytest.approx(682.67, abs=0.005)


def test_flop_is_exact_far_beyond_32_and_64_bits() -> None:
    assert tiling.matmul_flop(65_536, 65_536, 65_536) == 2**49
    assert tiling.matmul_flop(2**25, 2**25, 2**25) == 2**76


def test_operand_bytes_without_reuse_are_eight_per_multiply_add() -> None:
    assert tiling.operand_bytes(3, 5, 7, 1, 1, 4) == 8 * 3 * 5 * 7


def test_operand_bytes_match_the_tile_intensity_where_tiles_divide() -> None:
    moved = tiling.operand_bytes(4096, 4096, 4096, 128, 128, 4)
    assert tiling.matmul_flop(4096, 4096, 4096) / moved == tiling.tile_intensity(128, 128)


def test_a_tile_over_the_edge_reads_only_what_exists() -> None:
    """129 rows in tiles of 128: B passes twice, A (129 x 10) once for its single column of tiles."""
    assert tiling.operand_bytes(129, 100, 10, 128, 128, 4) == 4 * (129 * 10 * 1 + 10 * 100 * 2)


def test_result_updates() -> None:
    assert tiling.result_update_bytes(2, 3, 65, 64, 4) == 2 * 4 * 6 * 2


def test_shared_bytes_of_a_double_buffered_padded_tile() -> None:
    assert tiling.shared_tile_bytes(128, 128, 8, buffers=2, padding=4) == 4 * 2 * 8 * 260
