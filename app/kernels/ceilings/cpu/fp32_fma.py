"""CPU roof: the rate of vector FP32 multiply-adds over all cores."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Stage

FMA_PER_ELEMENT = 65_536


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = 2 * size["n"] * dtype.item_bytes
    return Cost(2 * FMA_PER_ELEMENT * size["n"], moved, {Level.DRAM: moved})


STAGE = Stage(
    name="fp32_fma",
    title="FP32 multiply-add",
    mechanism="Independent chains of multiply-adds in vector registers",
    change="The compute roof",
    backend=BackendName.CPU,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_name("fp32_fma_kernel.py"),
    entry="run",
    cost=_cost,
    uses_numba=True,
    ceiling_size=lambda last_level_cache_bytes: Size.of(n=192 * 512),
)
