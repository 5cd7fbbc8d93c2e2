"""The pair: one source, its loops rolled up or unrolled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.local_array.problem import COUNT
from app.kernels.stage import Cost, Launch, Stage

THREADS = 256


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = 2 * COUNT * size["n"] * dtype.item_bytes
    return Cost(0, moved, {Level.DRAM: moved, Level.L2: moved})


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // THREADS), 1, 1), block=(THREADS, 1, 1))


_INDEXED = Stage(
    name="indexed",
    title="Indexed at run time",
    mechanism="values in local memory, index of a loop",
    change="The loops stay loops, so the array needs an address: local memory",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.NONE,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.CACHE,
    source=Path(__file__).with_suffix(".cu"),
    entry="sort_columns",
    compile_options=("-DUNROLLED=0",),
    cost=_cost,
    launch=_launch,
    raises=("local_array",),
)
STAGES = (
    _INDEXED,
    replace(
        _INDEXED,
        name="unrolled",
        title="Unrolled",
        mechanism="values in registers, every index a constant",
        change="Both loops are unrolled: constant indices need no address",
        improves_on="indexed",
        raises=(),
        resolves=("local_array",),
        reuse_level=ReuseLevel.REGISTERS,
        compile_options=("-DUNROLLED=1",),
    ),
)
