"""A family: the same kernel compiled for elements of 1, 2, 4, 8 and 16 bytes."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.movement import THREADS, blocks_of, moving_stage, multiple_of, useful
from app.kernels.stage import Cost, Stage

ELEMENT_BYTES = (1, 2, 4, 8, 16)


def _cost(size: Size, dtype: Dtype) -> Cost:
    return useful(2 * size["n"] * dtype.item_bytes)


def _stage(width: int, narrower: int | None) -> Stage:
    return moving_stage(
        f"bytes_{width}",
        __file__,
        title=f"{width} byte{'s' if width > 1 else ''}",
        mechanism=f"{width} byte{'s' if width > 1 else ''} a thread",
        change="Twice the bytes a load" if narrower else "The narrowest load",
        improves_on=f"bytes_{narrower}" if narrower else None,
        source="moved",
        cost=_cost,
        launch=lambda size: blocks_of(4 * size["n"] // width or 1, THREADS),
        why_not=multiple_of("n", width // 4) if width > 4 else None,
        compile_options=(f"-DELEMENT_BYTES={width}",),
    )


STAGES = tuple(
    _stage(width, narrower) for width, narrower in zip(ELEMENT_BYTES, (None, *ELEMENT_BYTES), strict=False)
)
