"""Sectors of global-memory requests: 32 lanes ask for bytes, memory answers in sectors of 32 bytes.

Source: CUDA best practices guide, coalesced access; L22 §4.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.errors import InvalidInputError

SECTOR_BYTES = 32
WARP = 32


def sectors(addresses: Sequence[int | None], access_bytes: int = 4) -> int:
    """Distinct sectors that one request touches. addresses: byte address of each lane, None for inactive.

    Raises InvalidInputError for more than 32 lanes or a width below one byte.
    """
    if len(addresses) > WARP or access_bytes < 1:
        raise InvalidInputError(
            f"{len(addresses)} lanes of {access_bytes} bytes are no request of a warp: "
            "give at most 32 addresses and a width of at least one byte.",
            field="addresses",
        )
    touched: set[int] = set()
    for address in addresses:
        if address is not None:
            touched.update(range(address // SECTOR_BYTES, (address + access_bytes - 1) // SECTOR_BYTES + 1))
    return len(touched)


def strided_sectors(stride_words: int, offset_words: int = 0, access_bytes: int = 4) -> int:
    """Sectors when lane i reads `access_bytes` at word offset + i * stride."""
    return sectors([4 * (offset_words + lane * stride_words) for lane in range(WARP)], access_bytes)


def efficiency(addresses: Sequence[int | None], access_bytes: int = 4) -> float | None:
    """Bytes asked for over bytes moved, sectors x 32; None for a request without an active lane."""
    moved = sectors(addresses, access_bytes) * SECTOR_BYTES
    asked = sum(address is not None for address in addresses) * access_bytes
    return asked / moved if moved else None
