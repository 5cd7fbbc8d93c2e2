"""Theoretical occupancy against the figures of the lectures, worked out by hand."""

from __future__ import annotations

import pytest

from app.analysis.occupancy import Limiter, Occupancy, SmLimits, limits_of_architecture, occupancy, sm_limits
from app.domain.errors import InvalidInputError


def limits(major: int, minor: int) -> SmLimits:
    known = sm_limits((major, minor))
    assert known is not None
    return known


A100 = limits(8, 0)


def test_an_8x8_tile_of_80_registers_holds_three_blocks_of_256() -> None:
    """Claimed 50 to 62.5 %: whole warps of 2560 registers, 6 a sub-partition, make 24 of 64."""
    assert occupancy(A100, 256, 80) == Occupancy(3, 24, 0.375, Limiter.REGISTERS)


def test_40_registers_hold_48_warps_not_51() -> None:
    assert occupancy(A100, 32 * 4, 40).warps == 48


def test_48_kib_of_shared_memory_hold_three_blocks_of_164() -> None:
    found = occupancy(A100, 128, 32, 48 * 1024)
    assert (found.blocks, found.limiter) == (3, Limiter.SHARED_MEMORY)


def test_blocks_of_32_threads_fill_half_an_sm() -> None:
    assert occupancy(A100, 32, 16) == Occupancy(32, 32, 0.5, Limiter.BLOCKS)


@pytest.mark.parametrize(("threads", "blocks"), [(256, 8), (512, 4), (1024, 2)])
def test_large_blocks_fill_an_sm_at_32_registers(threads: int, blocks: int) -> None:
    assert occupancy(A100, threads, 32) == Occupancy(blocks, 64, 1.0, Limiter.WARPS)


@pytest.mark.parametrize(
    ("capability", "warps", "blocks"),
    [
        ((7, 0), 64, 32),
        ((7, 5), 32, 16),
        ((8, 6), 48, 16),
        ((8, 9), 48, 24),
        ((9, 0), 64, 32),
        ((10, 0), 64, 32),
        ((12, 0), 48, 24),
    ],
)
def test_each_compute_capability_has_its_own_limits(
    capability: tuple[int, int], warps: int, blocks: int
) -> None:
    assert occupancy(limits(*capability), 32, 8).blocks == blocks
    assert occupancy(limits(*capability), 128, 8).warps == warps


def test_an_unlisted_minor_takes_the_nearest_older_one() -> None:
    assert limits(10, 3).compute_capability == (10, 0)
    assert sm_limits((6, 1)) is None
    assert sm_limits((99, 0)) is None


def test_the_system_takes_a_kibibyte_a_block_from_8_0_on() -> None:
    assert occupancy(limits(7, 0), 32, 8, 32 * 1024).blocks == 3
    assert occupancy(limits(8, 6), 32, 8, 50 * 1024).blocks == 1


def test_a_block_that_does_not_fit_gives_none() -> None:
    assert occupancy(A100, 1024, 128).blocks == 0
    assert occupancy(A100, 32, 32, 164 * 1024) == Occupancy(0, 0, 0.0, Limiter.SHARED_MEMORY)


@pytest.mark.parametrize(
    ("threads", "registers", "shared"), [(0, 1, 0), (1025, 1, 0), (32, -1, 0), (32, 1, -1)]
)
def test_needs_that_cannot_be_are_refused(threads: int, registers: int, shared: int) -> None:
    with pytest.raises(InvalidInputError):
        occupancy(A100, threads, registers, shared)


def test_limits_by_the_compilers_name_of_an_architecture() -> None:
    assert limits_of_architecture("sm_90a") == limits(9, 0)
    assert limits_of_architecture("sm_86") == limits(8, 6)
    assert limits_of_architecture("sm_120a") == limits(12, 0)
    assert limits_of_architecture("x86_64") is None
