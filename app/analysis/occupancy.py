"""Theoretical occupancy: how many blocks of a kernel one SM holds at once, and what limits them.

Registers are given out to warps in steps of 256 within each of the four sub-partitions; a block's shared
memory in steps of 128 B, with 1 KiB more for the system from compute capability 8.0 on. Limits: CUDA
programming guide, "Technical specifications per compute capability".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from app.domain.errors import InvalidInputError

WARP = 32
PARTITIONS = 4
REGISTER_STEP = 256  # registers, given to a whole warp
SHARED_STEP = 128  # bytes
REGISTERS_PER_SM = 65_536
LARGEST_BLOCK = 1024
KIB = 1024


class Limiter(StrEnum):
    """What keeps another block off the SM; of several, the first in this order is named."""

    WARPS = "warps"
    REGISTERS = "registers"
    SHARED_MEMORY = "shared memory"
    BLOCKS = "blocks"


@dataclass(frozen=True)
class SmLimits:
    """What one SM of a compute capability holds. Bytes of shared memory per SM and per block."""

    compute_capability: tuple[int, int]
    warps: int
    blocks: int
    shared_bytes: int
    shared_bytes_per_block: int
    reserved_shared_bytes: int  # taken from every block's share by the system
    registers: int = REGISTERS_PER_SM


@dataclass(frozen=True)
class Occupancy:
    """Blocks and warps resident on one SM; fraction of the warps that it could hold, 0 to 1."""

    blocks: int
    warps: int
    fraction: float
    limiter: Limiter


def _limits(major: int, minor: int, warps: int, blocks: int, shared_kib: int, block_kib: int) -> SmLimits:
    reserved = KIB if major >= 8 else 0
    return SmLimits((major, minor), warps, blocks, shared_kib * KIB, block_kib * KIB, reserved)


_KNOWN = (
    _limits(7, 0, 64, 32, 96, 96),
    _limits(7, 5, 32, 16, 64, 64),
    _limits(8, 0, 64, 32, 164, 163),
    _limits(8, 6, 48, 16, 100, 99),
    _limits(8, 7, 48, 16, 164, 163),
    _limits(8, 9, 48, 24, 100, 99),
    _limits(9, 0, 64, 32, 228, 227),
    _limits(10, 0, 64, 32, 228, 227),
    _limits(11, 0, 48, 24, 228, 227),
    _limits(12, 0, 48, 24, 100, 99),
)
KNOWN_COMPUTE_CAPABILITIES = tuple(one.compute_capability for one in _KNOWN)


def sm_limits(compute_capability: tuple[int, int]) -> SmLimits | None:
    """Limits of that compute capability, else of the nearest older one of the same major; None if unknown."""
    major, _ = compute_capability
    older = [
        known
        for known in _KNOWN
        if known.compute_capability[0] == major and known.compute_capability <= compute_capability
    ]
    return older[-1] if older else None


def limits_of_architecture(architecture: str) -> SmLimits | None:
    """Limits of a compiler target such as "sm_90a"; None where it is not of that form or unknown."""
    found = re.fullmatch(r"sm_(\d+)(\d)[af]?", architecture)
    return sm_limits((int(found.group(1)), int(found.group(2)))) if found else None


def occupancy(
    limits: SmLimits, threads_per_block: int, registers_per_thread: int, shared_bytes_per_block: int = 0
) -> Occupancy:
    """Resident blocks of a kernel with these needs; 0 blocks where not even one fits.

    shared_bytes_per_block: static and dynamic together, without the system's share. Raises
    InvalidInputError for a block without threads or with more than 1024, and for negative needs.
    """
    blocks_by = blocks_by_limiter(limits, threads_per_block, registers_per_thread, shared_bytes_per_block)
    limiter = min(blocks_by, key=lambda name: blocks_by[name])
    blocks = blocks_by[limiter]
    warps = blocks * warps_of_block(threads_per_block)
    return Occupancy(blocks, warps, warps / limits.warps, limiter)


def blocks_by_limiter(
    limits: SmLimits, threads_per_block: int, registers_per_thread: int, shared_bytes_per_block: int = 0
) -> dict[Limiter, int]:
    """Blocks that an SM would hold if only one thing were scarce, for each of the four in turn.

    Raises what `occupancy` raises.
    """
    _check(threads_per_block, registers_per_thread, shared_bytes_per_block)
    warps_per_block = warps_of_block(threads_per_block)
    return {
        Limiter.WARPS: limits.warps // warps_per_block,
        Limiter.REGISTERS: _blocks_by_registers(limits, warps_per_block, registers_per_thread),
        Limiter.SHARED_MEMORY: _blocks_by_shared(limits, shared_bytes_per_block),
        Limiter.BLOCKS: limits.blocks,
    }


def warps_of_block(threads_per_block: int) -> int:
    """Warps of a block; the last one may be only partly filled."""
    return -(-threads_per_block // WARP)


def allocated_shared_bytes(limits: SmLimits, shared_bytes_per_block: int) -> int:
    """Shared memory that a block takes: its own and the system's, in whole steps."""
    return -(-(shared_bytes_per_block + limits.reserved_shared_bytes) // SHARED_STEP) * SHARED_STEP


def allocated_registers_per_warp(registers_per_thread: int) -> int:
    """Registers that a warp takes: 32 threads' worth, rounded up to a multiple of 256."""
    return -(-registers_per_thread * WARP // REGISTER_STEP) * REGISTER_STEP


def _blocks_by_registers(limits: SmLimits, warps_per_block: int, registers_per_thread: int) -> int:
    if registers_per_thread == 0:
        return limits.blocks
    per_warp = allocated_registers_per_warp(registers_per_thread)
    return limits.registers // PARTITIONS // per_warp * PARTITIONS // warps_per_block


def _blocks_by_shared(limits: SmLimits, shared_bytes_per_block: int) -> int:
    if shared_bytes_per_block > limits.shared_bytes_per_block:
        return 0
    taken = allocated_shared_bytes(limits, shared_bytes_per_block)
    return limits.shared_bytes // taken if taken else limits.blocks


def _check(threads_per_block: int, registers_per_thread: int, shared_bytes_per_block: int) -> None:
    if not 1 <= threads_per_block <= LARGEST_BLOCK:
        raise InvalidInputError(
            f"A block of {threads_per_block} threads cannot be launched. Choose 1 to {LARGEST_BLOCK}.",
            field="threads_per_block",
        )
    for field, value in (
        ("registers_per_thread", registers_per_thread),
        ("shared_bytes_per_block", shared_bytes_per_block),
    ):
        if value < 0:
            raise InvalidInputError(
                f"{field} is {value}, but nothing takes less than 0. Give 0 or more.", field=field
            )
