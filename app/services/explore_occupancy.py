"""Occupancy of a kernel by its needs: blocks and warps an SM holds, and what keeps another block off it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.analysis.occupancy import (
    KNOWN_COMPUTE_CAPABILITIES,
    Limiter,
    Occupancy,
    SmLimits,
    blocks_by_limiter,
    occupancy,
    sm_limits,
)
from app.domain.errors import InvalidInputError


@dataclass(frozen=True)
class KernelNeeds:
    """What a kernel takes. shared_bytes_per_block: static and dynamic, without the system's share."""

    block_size: int
    registers_per_thread: int
    shared_bytes_per_block: int


@dataclass(frozen=True)
class OccupancyView:
    """The answer, the limits it rests on, and how many blocks each of them alone would allow."""

    needs: KernelNeeds
    limits: SmLimits
    found: Occupancy
    blocks_by: Mapping[Limiter, int]


def occupancy_view(compute_capability: tuple[int, int], needs: KernelNeeds) -> OccupancyView:
    """Raises InvalidInputError for a compute capability without known limits and for impossible needs."""
    limits = known_limits(compute_capability)
    asked = (needs.block_size, needs.registers_per_thread, needs.shared_bytes_per_block)
    return OccupancyView(needs, limits, occupancy(limits, *asked), blocks_by_limiter(limits, *asked))


def known_limits(compute_capability: tuple[int, int]) -> SmLimits:
    """Limits of an SM. Raises InvalidInputError where none are known."""
    limits = sm_limits(compute_capability)
    if limits is None:
        known = ", ".join(f"{major}.{minor}" for major, minor in KNOWN_COMPUTE_CAPABILITIES)
        raise InvalidInputError(
            "The limits of an SM of compute capability {}.{} are not known, so nothing can be said of it. "
            "Choose {}.".format(*compute_capability, known),
            field="compute_capability",
        )
    return limits
