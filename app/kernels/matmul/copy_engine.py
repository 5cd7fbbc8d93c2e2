"""What the copy engine (TMA) asks of a matrix product in float32: rows of whole 16 bytes."""

from __future__ import annotations

from app.domain.size import Size

FLOATS_PER_16_BYTES = 4


def why_not_rows_of_16_bytes(size: Size) -> str | None:
    """Why A (rows of k) or B and C (rows of n) are out of the copy engine's reach, or None."""
    odd = [f"{name} = {size[name]}" for name in ("n", "k") if size[name] % FLOATS_PER_16_BYTES]
    if not odd:
        return None
    return (
        f"takes n and k in multiples of {FLOATS_PER_16_BYTES} only, because the copy engine (TMA) reads rows "
        f"of whole 16 bytes; here {' and '.join(odd)}"
    )
