"""CUDA roof: the rate of FP32 multiply-adds from registers."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Launch, Stage

CHAINS_PER_THREAD = 16
FMA_PER_ELEMENT = 8192
THREADS = 256
# Many blocks an SM on any current device, so that the last wave's idle SMs weigh little.
BLOCKS = 132 * 8 * 6


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = 2 * size["n"] * dtype.item_bytes
    return Cost(2 * FMA_PER_ELEMENT * size["n"], moved, {Level.DRAM: moved})


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // (THREADS * CHAINS_PER_THREAD)), 1, 1), block=(THREADS, 1, 1))


STAGE = Stage(
    name="fp32_fma",
    title="FP32 multiply-add",
    mechanism="Independent multiply-add chains in registers",
    change="The compute roof",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="fp32_fma",
    cost=_cost,
    launch=_launch,
    ceiling_size=lambda last_level_cache_bytes: Size.of(n=BLOCKS * THREADS * CHAINS_PER_THREAD),
)
