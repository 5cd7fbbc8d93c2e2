"""CUDA roof: bytes a second of plain 16-byte stores."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.fill.problem import PERIOD
from app.kernels.stage import Cost, Launch, Stage

THREADS = 256
GIBIBYTE = Size.of(n=2**28)


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = (size["n"] + PERIOD) * dtype.item_bytes
    return Cost(0, moved, {Level.DRAM: moved})


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // (THREADS * PERIOD)), 1, 1), block=(THREADS, 1, 1))


STAGE = Stage(
    name="float4_store",
    title="float4 stores",
    mechanism="One 16-byte store a thread",
    change="The roof of writing",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.NONE,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="float4_store",
    cost=_cost,
    launch=_launch,
    ceiling_size=lambda last_level_cache_bytes: GIBIBYTE,
)
