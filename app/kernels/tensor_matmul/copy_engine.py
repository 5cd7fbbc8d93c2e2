"""What the copy engine (TMA) asks of a matrix product in 16 bits: rows of whole 16 bytes."""

from __future__ import annotations

from app.domain.size import Size

ELEMENTS_PER_16_BYTES = 8


def why_not_rows_of_16_bytes(size: Size) -> str | None:
    """Why A and B (rows of k) or C (rows of n) are out of the copy engine's reach, or None."""
    odd = [f"{name} = {size[name]:,}" for name in ("n", "k") if size[name] % ELEMENTS_PER_16_BYTES]
    if not odd:
        return None
    return (
        f"takes n and k in multiples of {ELEMENTS_PER_16_BYTES} only, because the copy engine (TMA) reads "
        f"and writes rows of whole 16 bytes; here {' and '.join(odd)}"
    )
