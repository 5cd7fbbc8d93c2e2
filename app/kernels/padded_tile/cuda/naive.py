"""The lab's starting point: no tile, lanes along N."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Launch, Stage

EDGE = 16


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // EDGE), -(-size["m"] // EDGE), 1), block=(EDGE, EDGE, 1))


STAGE = Stage(
    name="naive",
    title="Naive",
    mechanism="One result a thread, lanes along N",
    change="The lab's starting point",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="naive",
    cost=tiled_cost({Level.DRAM: (1, 1)}),
    launch=_launch,
)
