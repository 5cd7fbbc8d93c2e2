"""CUDA roof: bytes a second of a copy far beyond the L2 cache."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Launch, Stage

ELEMENTS_PER_BLOCK = 256 * 4
COPY_N = 2**28  # 1 GiB read and 1 GiB written


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = 2 * size["n"] * dtype.item_bytes
    return Cost(0, moved, {Level.DRAM: moved})


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // ELEMENTS_PER_BLOCK), 1, 1), block=(256, 1, 1))


STAGE = Stage(
    name="dram_copy",
    title="DRAM copy",
    mechanism="float4 copy of 1 GiB",
    change="The bandwidth roof",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.NONE,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="dram_copy",
    cost=_cost,
    launch=_launch,
    ceiling_size=lambda last_level_cache_bytes: Size.of(n=max(COPY_N, last_level_cache_bytes)),
)
