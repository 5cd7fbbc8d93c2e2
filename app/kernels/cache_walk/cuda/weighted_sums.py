"""The pair: one kernel, its blocks in two orders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.cache_walk.problem import PASSES, chunks
from app.kernels.stage import Cost, Launch, Stage

THREADS = 256


def _cost(size: Size, dtype: Dtype) -> Cost:
    """Every pass asks for every element: of L2 in both orders, of DRAM if L2 has forgotten it."""
    written = PASSES * chunks(size) * dtype.item_bytes
    once = size["n"] * dtype.item_bytes
    asked = PASSES * once + written
    return Cost(2 * PASSES * size["n"], once + written, {Level.DRAM: asked, Level.L2: asked})


def _launch(size: Size) -> Launch:
    return Launch(grid=(PASSES * chunks(size), 1, 1), block=(THREADS, 1, 1))


_THRASHING = Stage(
    name="thrashing",
    title="Pass after pass",
    mechanism="the whole array is walked eight times",
    change="By the time a pass comes back to a chunk, L2 has forgotten it",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="weighted_sums",
    compile_options=("-DBLOCKED=0",),
    cost=_cost,
    launch=_launch,
    raises=("l2_thrash",),
)
STAGES = (
    _THRASHING,
    replace(
        _THRASHING,
        name="blocked",
        title="Chunk after chunk",
        mechanism="eight passes over a chunk while L2 holds it",
        change="The passes over one chunk are neighbouring blocks: seven of eight find it in L2",
        improves_on="thrashing",
        raises=(),
        resolves=("l2_thrash",),
        reuse_level=ReuseLevel.CACHE,
        compile_options=("-DBLOCKED=1",),
    ),
)
