"""CUDA rung: the tensor cores by wmma, fragments straight from global memory."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import BackendName, Level, ReuseLevel
from app.kernels.stage import Launch, Needs, Stage
from app.kernels.tensor_matmul.cost import tiled_cost
from app.kernels.tensor_matmul.cuda.precisions import PRECISIONS, Precision

EDGE, TILE, THREADS = 16, 32, 128


def _launch(size: Size) -> Launch:
    return Launch((-(-size["n"] // TILE), -(-size["m"] // TILE), 1), (THREADS, 1, 1))


def _stage(precision: Precision) -> Stage:
    return Stage(
        name=f"wmma_global_{precision.suffix}",
        title=f"WMMA from global {precision.suffix}",
        mechanism="16×16 results a warp, fragments from global memory",
        change="The tensor cores multiply; every fragment is read where it is used",
        backend=BackendName.CUDA,
        improves_on=None,
        arithmetic=precision.arithmetic,
        dtypes=(precision.dtype,),
        reuse_level=ReuseLevel.CACHE,
        source=Path(__file__).with_suffix(".cu"),
        entry="wmma_global",
        cost=tiled_cost({Level.DRAM: (EDGE, EDGE)}),
        launch=_launch,
        needs=Needs(compute_capability=(8, 0)),
        compile_options=precision.options,
    )


STAGES = tuple(_stage(precision) for precision in PRECISIONS)
