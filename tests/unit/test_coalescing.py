"""Sectors by the lectures' own examples, and what the movement stages declare against them."""

from __future__ import annotations

import pytest

from app.analysis.coalescing import efficiency, sectors, strided_sectors
from app.domain.errors import InvalidInputError
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, Level
from app.kernels import registry


@pytest.mark.parametrize(("stride", "count"), [(1, 4), (2, 8), (4, 16), (8, 32), (16, 32), (32, 32)])
def test_a_stride_touches_the_lectures_sectors(stride: int, count: int) -> None:
    assert strided_sectors(stride) == count
    assert efficiency([4 * stride * lane for lane in range(32)]) == pytest.approx(4 / count)


@pytest.mark.parametrize(("offset", "count"), [(0, 4), (1, 5), (7, 5), (8, 4)])
def test_a_warp_between_sector_borders_touches_a_fifth(offset: int, count: int) -> None:
    assert strided_sectors(1, offset) == count


def test_inactive_lanes_and_wide_accesses() -> None:
    assert sectors([None] * 32) == 0
    assert efficiency([None] * 32) is None
    assert sectors([0] * 32) == 1
    assert sectors([16 * lane for lane in range(32)], 16) == 16
    assert sectors([28], 8) == 2, "an access across a border touches both sectors"


def test_what_is_no_request_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        sectors([0] * 33)


@pytest.mark.parametrize(("stride", "factor"), [(1, 1), (2, 2), (8, 8), (32, 8)])
def test_a_strided_stage_declares_the_sectors_it_moves(stride: int, factor: int) -> None:
    stage = registry.stage("strided_access", BackendName.CUDA, "strided")
    cost = stage.cost(Size.of(n=2**20, stride=stride), Dtype.FLOAT32)
    written = 4 * 2**20
    assert cost.least_dram_bytes == 2 * written
    assert cost.bytes_by_level[Level.DRAM] == (factor + 1) * written


def test_the_strided_side_of_a_transpose_moves_a_sector_a_lane() -> None:
    size = Size.of(rows=8192, columns=8192)
    moved = {
        s.name: s.cost(size, Dtype.FLOAT32).bytes_by_level
        for s in registry.stages("transpose", BackendName.CUDA)
    }
    one_way = 4 * 8192 * 8192
    assert moved["naive_read"][Level.L2] == one_way + 8 * one_way
    assert moved["tile33"][Level.L2] == 2 * one_way
    assert moved["tile32"][Level.SHARED] == 33 * one_way
    assert moved["tile33"][Level.SHARED] == moved["swizzle"][Level.SHARED] == 2 * one_way
