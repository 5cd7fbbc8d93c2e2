"""The pair: one kernel, launched with 16 blocks or with as many as there is work for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Launch, Stage

THREADS = 256
FEW_BLOCKS = 16


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = 2 * size["n"] * dtype.item_bytes
    return Cost(size["n"], moved, {Level.DRAM: moved, Level.L2: moved})


def _few(size: Size) -> Launch:
    return Launch(grid=(FEW_BLOCKS, 1, 1), block=(THREADS, 1, 1))


def _full(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // THREADS), 1, 1), block=(THREADS, 1, 1))


_FEW = Stage(
    name="few_blocks",
    title="16 blocks",
    mechanism="a grid of 16 blocks strides over everything",
    change="As many blocks as a device of long ago had multiprocessors",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="double_all",
    cost=_cost,
    launch=_few,
    raises=("few_blocks",),
)
STAGES = (
    _FEW,
    replace(
        _FEW,
        name="full_grid",
        title="Full grid",
        mechanism="a thread an element, every multiprocessor at work",
        change="A block for every 256 elements: every multiprocessor has loads in flight",
        improves_on="few_blocks",
        raises=(),
        resolves=("few_blocks",),
        launch=_full,
    ),
)
