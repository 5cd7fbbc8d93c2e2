"""Wavefronts of shared-memory requests against patterns worked out by hand."""

from __future__ import annotations

from math import gcd

import pytest

from app.analysis.bank_conflicts import ideal_wavefronts, strided_wavefronts, wavefronts
from app.domain.errors import InvalidInputError


@pytest.mark.parametrize("stride", range(1, 34))
def test_a_stride_conflicts_by_its_greatest_common_divisor_with_32(stride: int) -> None:
    addresses = [4 * stride * lane for lane in range(32)]
    assert wavefronts(addresses) == gcd(stride, 32) == strided_wavefronts(stride)
    assert ideal_wavefronts(addresses) == 1


def test_the_same_word_is_read_by_all_lanes_at_once() -> None:
    assert wavefronts([64] * 32) == 1
    assert strided_wavefronts(0) == 1


def test_two_words_of_one_bank_take_two_wavefronts_however_many_lanes_share_each() -> None:
    assert wavefronts([0] * 16 + [128] * 16) == 2
    assert wavefronts([0] * 16 + [132] * 16) == 1


@pytest.mark.parametrize(("access_bytes", "phases"), [(4, 1), (8, 2), (16, 4)])
def test_wide_accesses_side_by_side_take_one_wavefront_a_phase(access_bytes: int, phases: int) -> None:
    addresses = [access_bytes * lane for lane in range(32)]
    assert wavefronts(addresses, access_bytes) == phases
    assert ideal_wavefronts(addresses, access_bytes) == phases


def test_a_column_of_padded_float4_rows_is_clear_and_of_unpadded_ones_is_not() -> None:
    """Quarter-warps read 16 bytes down a column: rows of 128 B meet in one bank, rows of 144 B do not."""
    assert wavefronts([128 * lane for lane in range(32)], 16) == 32
    assert wavefronts([144 * lane for lane in range(32)], 16) == 4


def test_padding_of_four_words_leaves_a_four_way_conflict_down_a_column() -> None:
    """Rows of 128 + 4 words: gcd(132, 32) = 4, so the padding of the lectures does not clear all."""
    assert wavefronts([4 * 132 * lane for lane in range(32)]) == 4


def test_halves_of_one_word_are_one_word() -> None:
    assert wavefronts([2 * lane for lane in range(32)], 2) == 1


def test_inactive_lanes_ask_for_nothing() -> None:
    assert wavefronts([0, None, 128, *[None] * 29]) == 2
    assert wavefronts([None] * 32) == 0


@pytest.mark.parametrize(
    ("addresses", "access_bytes", "field"),
    [([0], 3, "access_bytes"), ([0] * 33, 4, "addresses"), ([2], 4, "addresses"), ([-4], 4, "addresses")],
)
def test_a_request_that_cannot_be_is_refused(addresses: list[int], access_bytes: int, field: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        wavefronts(addresses, access_bytes)
    assert refused.value.field == field
