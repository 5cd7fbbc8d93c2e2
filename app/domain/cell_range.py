"""The NVTX range that this product opens around a cell while it is profiled: `roofladder:stage:size:dtype`.

The stage is written `problem/stage`, because stages of two problems may share a name.
"""

from __future__ import annotations

from app.domain.measurement import CellKey
from app.domain.size import Size
from app.domain.vocabulary import Dtype

PREFIX = "roofladder:"


def cell_range(key: CellKey) -> str:
    """The range's name, such as `roofladder:matmul/naive:m=64,n=64,k=64:float32`."""
    return f"{PREFIX}{key.problem}/{key.stage}:{key.size.key}:{key.dtype.value}"


def cell_of_range(name: str) -> CellKey | None:
    """The cell that `cell_range` named; None for every other text."""
    if not name.startswith(PREFIX):
        return None
    try:
        cell, size, dtype = name.removeprefix(PREFIX).split(":")
        problem, stage = cell.split("/")
        return CellKey(problem, stage, Size.parse(size), Dtype(dtype))
    except ValueError:
        return None
