"""CUDA rung: a thread per element, lanes down a column of C."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.claims import table_row
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Launch, Stage

BLOCK = 32


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["m"] // BLOCK), -(-size["n"] // BLOCK), 1), block=(BLOCK, BLOCK, 1))


STAGE = Stage(
    name="naive",
    title="Naive",
    mechanism="One thread per element, warp down a column",
    change="The starting point",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="naive",
    cost=tiled_cost({Level.DRAM: (1, 1)}),
    launch=_launch,
    claims=table_row("L24 stage 0", 0.25e12, 0.013, 0.25, "DRAM bandwidth"),
    raises=("uncoalesced_loads",),
)
