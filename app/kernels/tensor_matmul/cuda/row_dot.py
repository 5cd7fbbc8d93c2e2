"""CUDA rung: one row of A as dot products with long pieces of B's rows, off the tensor cores."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less, more
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Level, ReuseLevel
from app.kernels.stage import Launch, Needs, Stage
from app.kernels.tensor_matmul.cost import tiled_cost
from app.kernels.tensor_matmul.cuda.precisions import PRECISIONS, Precision

COLUMNS, THREADS = 4, 256


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // COLUMNS), 1, 1), block=(THREADS, 1, 1))


def _why_not(size: Size) -> str | None:
    if size["m"] == 1:
        return None
    return f"takes one row of A, {size['m']:,} are asked for: more rows need the tensor cores"


def _stage(precision: Precision) -> Stage:
    return Stage(
        name=f"row_dot_{precision.suffix}",
        title=f"Row dot products {precision.suffix}",
        mechanism="four rows of B a block, 4 KiB pieces",
        change="Rows of B are read 4 KiB in one piece instead of 64 bytes; one product needs no tensor core",
        backend=BackendName.CUDA,
        improves_on=f"split_k_rows_{precision.suffix}",
        arithmetic=precision.arithmetic,
        dtypes=(precision.dtype,),
        reuse_level=ReuseLevel.REGISTERS,
        source=Path(__file__).with_suffix(".cu"),
        entry="row_dot",
        cost=tiled_cost({Level.DRAM: (1, COLUMNS)}),
        launch=_launch,
        needs=Needs(compute_capability=(8, 0)),
        compile_options=precision.options,
        why_not=_why_not,
        promises=(
            less(Counted.GLOBAL_REQUESTS),
            more(Counted.FMA_PIPE_USE),
            less(Counted.TENSOR_INSTRUCTIONS),
        ),
    )


STAGES = tuple(_stage(precision) for precision in PRECISIONS)
