"""Sectors of global-memory requests: 32 lanes ask for bytes, memory answers in sectors of 32 bytes.

Source: CUDA best practices guide, coalesced access; L22 §4.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.errors import InvalidInputError

SECTOR_BYTES = 32
LINE_BYTES = 128
WARP = 32


def touched(addresses: Sequence[int | None], access_bytes: int, piece_bytes: int) -> tuple[int, ...]:
    """Numbers of the pieces of memory (sectors, lines) that one request touches, ascending.

    addresses: byte address of each lane, None for inactive. Raises InvalidInputError for more than 32 lanes
    or a width below one byte.
    """
    if len(addresses) > WARP or access_bytes < 1:
        raise InvalidInputError(
            f"{len(addresses)} lanes of {access_bytes} bytes are no request of a warp: "
            "give at most 32 addresses and a width of at least one byte.",
            field="addresses",
        )
    found: set[int] = set()
    for address in addresses:
        if address is not None:
            found.update(range(address // piece_bytes, (address + access_bytes - 1) // piece_bytes + 1))
    return tuple(sorted(found))


def sectors(addresses: Sequence[int | None], access_bytes: int = 4) -> int:
    """Distinct sectors that one request touches. Raises what `touched` raises."""
    return len(touched(addresses, access_bytes, SECTOR_BYTES))


def ideal_sectors(addresses: Sequence[int | None], access_bytes: int = 4) -> int:
    """Sectors that would hold the distinct bytes of the request if they lay side by side, aligned."""
    return -(-useful_bytes(addresses, access_bytes) // SECTOR_BYTES)


def useful_bytes(addresses: Sequence[int | None], access_bytes: int = 4) -> int:
    """Distinct bytes that the lanes ask for: lanes that name the same word count once."""
    return len(touched(addresses, access_bytes, 1))


def strided_sectors(stride_words: int, offset_words: int = 0, access_bytes: int = 4) -> int:
    """Sectors when lane i reads `access_bytes` at word offset + i * stride."""
    return sectors([4 * (offset_words + lane * stride_words) for lane in range(WARP)], access_bytes)


def efficiency(addresses: Sequence[int | None], access_bytes: int = 4) -> float | None:
    """Distinct bytes asked for over bytes moved, sectors x 32; None for a request without an active lane."""
    moved = sectors(addresses, access_bytes) * SECTOR_BYTES
    return useful_bytes(addresses, access_bytes) / moved if moved else None
