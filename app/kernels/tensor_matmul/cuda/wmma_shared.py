"""CUDA rung: wmma over tiles in shared memory."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less, more
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Level, ReuseLevel
from app.kernels.stage import Launch, Needs, Stage
from app.kernels.tensor_matmul.cost import tiled_cost
from app.kernels.tensor_matmul.cuda.precisions import PRECISIONS, Precision

TILE, THREADS = 128, 256
WARP_ROWS, WARP_COLUMNS = 64, 32


def _launch(size: Size) -> Launch:
    return Launch((-(-size["n"] // TILE), -(-size["m"] // TILE), 1), (THREADS, 1, 1))


def _stage(precision: Precision) -> Stage:
    return Stage(
        name=f"wmma_shared_{precision.suffix}",
        title=f"WMMA from shared {precision.suffix}",
        mechanism="128×128 tiles in shared memory, 64×32 results a warp",
        change="Tiles are loaded once a block; a fragment serves two or four products in registers",
        backend=BackendName.CUDA,
        improves_on=f"wmma_global_{precision.suffix}",
        arithmetic=precision.arithmetic,
        dtypes=(precision.dtype,),
        reuse_level=ReuseLevel.SHARED,
        source=Path(__file__).with_suffix(".cu"),
        entry="wmma_shared",
        cost=tiled_cost({Level.DRAM: (TILE, TILE), Level.SHARED: (WARP_ROWS, WARP_COLUMNS)}),
        launch=_launch,
        needs=Needs(compute_capability=(8, 0)),
        compile_options=precision.options,
        promises=(less(Counted.GLOBAL_REQUESTS), more(Counted.TENSOR_PIPE_USE)),
    )


STAGES = tuple(_stage(precision) for precision in PRECISIONS)
