"""Traffic and intensity of tiled matmul against figures worked out by hand."""

from __future__ import annotations

import pytest

from app.analysis import tiling


def test_flop_is_exact_far_beyond_32_and_64_bits() -> None:
    assert tiling.matmul_flop(65_536, 65_536, 65_536) == 2**49
    assert tiling.matmul_flop(2**25, 2**25, 2**25) == 2**76


def test_operand_bytes_without_reuse_are_eight_per_multiply_add() -> None:
    assert tiling.operand_bytes(3, 5, 7, 1, 1, 4) == 8 * 3 * 5 * 7


@pytest.mark.parametrize(("edge", "flop_per_byte"), [(1, 0.25), (8, 2.0), (16, 4.0), (32, 8.0), (128, 32.0)])
def test_square_tiles_that_divide_give_the_textbook_intensity(edge: int, flop_per_byte: float) -> None:
    moved = tiling.operand_bytes(4096, 4096, 4096, edge, edge, 4)
    assert tiling.matmul_flop(4096, 4096, 4096) / moved == flop_per_byte


def test_a_tile_over_the_edge_reads_only_what_exists() -> None:
    """129 rows in tiles of 128: B passes twice, A (129 x 10) once for its single column of tiles."""
    assert tiling.operand_bytes(129, 100, 10, 128, 128, 4) == 4 * (129 * 10 * 1 + 10 * 100 * 2)


def test_result_updates() -> None:
    assert tiling.result_update_bytes(2, 3, 65, 64, 4) == 2 * 4 * 6 * 2


def test_shared_bytes_of_a_double_buffered_padded_tile() -> None:
    assert tiling.shared_tile_bytes(128, 128, 8, buffers=2, padding=4) == 4 * 2 * 8 * 260
