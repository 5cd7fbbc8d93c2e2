"""Swizzles: another order of the columns in each row, so that a column meets every bank.

XOR swizzle: element (row, column) lies in column `column ^ row`, as a kernel computes it by hand. TMA
swizzle: the copy engine exchanges 16-byte pieces of a byte address. Source: CUDA driver API,
CUtensorMapSwizzle; CUDA programming guide, "The swizzle modes": the pattern repeats after 1024, 512 or 256
bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

PIECE_BITS = 4  # pieces of 16 bytes
ROW_BITS = 7  # rows of 128 bytes, all banks once


class Swizzle(StrEnum):
    """How the columns of a row are exchanged."""

    NONE = "none"
    XOR = "xor"
    TMA_32 = "tma_32"
    TMA_64 = "tma_64"
    TMA_128 = "tma_128"


# Bits of the piece's place that are exchanged: 1 among 32 bytes, 2 among 64, 3 among 128.
TMA_BITS: Mapping[Swizzle, int] = {Swizzle.TMA_32: 1, Swizzle.TMA_64: 2, Swizzle.TMA_128: 3}


def xor_column(row: int, column: int, columns: int) -> int:
    """Column in which element (row, column) lies; `columns`, a power of two, bounds the result."""
    return column ^ (row % columns)


def tma_address(address: int, swizzle: Swizzle) -> int:
    """Byte address in shared memory at which the copy engine puts what an unswizzled tile has at `address`.

    The lowest bits of the 16-byte piece's place are exchanged by those of the 128-byte row's number.
    """
    mask = (1 << TMA_BITS[swizzle]) - 1
    return address ^ ((address >> ROW_BITS & mask) << PIECE_BITS)
