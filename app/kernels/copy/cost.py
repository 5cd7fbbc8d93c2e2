"""Cost of a copy: each element read once and written once, whoever does it."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.movement import useful
from app.kernels.stage import Cost


def copy_cost(size: Size, dtype: Dtype) -> Cost:
    """Reads and writes of n elements."""
    return useful(2 * size["n"] * dtype.item_bytes)
