"""Tiles, waves and slices against figures worked out by hand."""

from __future__ import annotations

import pytest

from app.analysis.quantisation import (
    matmul_tiles,
    slices_to_fill,
    tile_efficiency,
    wave_efficiency,
    waves,
)


def test_a_row_over_the_edge_costs_a_row_of_tiles() -> None:
    assert matmul_tiles(4096, 4096, 128, 128) == 1024
    assert matmul_tiles(4097, 4096, 128, 128) == 1056
    assert tile_efficiency(4096, 4096, 128, 128) == 1.0
    assert tile_efficiency(1, 1, 128, 128) == 1 / 128**2
    assert tile_efficiency(4097, 4096, 128, 128) == pytest.approx(4097 / (33 * 128))


@pytest.mark.parametrize(("m", "expected"), [(4096, 8), (4097, 8), (4224, 8), (4225, 9)])
def test_the_first_cliff_on_132_multiprocessors_is_at_4225_rows(m: int, expected: int) -> None:
    """4097 x 4096 in 128 x 128 tiles is exactly eight waves, so it costs a row of tiles and no wave."""
    assert waves(matmul_tiles(m, 4096, 128, 128), 132) == expected


def test_places_of_the_last_wave() -> None:
    assert wave_efficiency(1056, 132) == 1.0
    assert wave_efficiency(133, 132) == pytest.approx(133 / 264)


@pytest.mark.parametrize(
    ("tiles", "steps", "least", "expected"),
    [(4, 1024, 8, 32), (1, 1024, 8, 128), (200, 1024, 8, 1), (1, 5, 8, 1), (1, 1, 1, 1), (4, 20, 8, 2)],
)
def test_slices_fill_a_wave_and_none_is_empty(tiles: int, steps: int, least: int, expected: int) -> None:
    found = slices_to_fill(tiles, 132, steps, least)
    assert found == expected
    per_slice = -(-steps // found)
    assert (found - 1) * per_slice < steps <= found * per_slice
    assert tiles * found <= max(tiles, 132)
