"""CUDA rung: a thread per element, lanes along a row of C."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.claims import table_row
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Launch, Stage

BLOCK_COLUMNS = 256


def _launch(size: Size) -> Launch:
    return Launch(grid=(size["m"], -(-size["n"] // BLOCK_COLUMNS), 1), block=(BLOCK_COLUMNS, 1, 1))


STAGE = Stage(
    name="coalesced",
    title="Coalesced",
    mechanism="One thread per element, lanes along N",
    change="Lanes run along a row: 4 sectors a load of B instead of 32 a load of A",
    backend=BackendName.CUDA,
    improves_on="naive",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="coalesced",
    cost=tiled_cost({Level.DRAM: (1, 1)}),
    launch=_launch,
    promises=(less(Counted.GLOBAL_SECTORS, 5 / 33),),
    claims=table_row("L24 stage 1", 0.95e12, 0.048, 0.25, "Traffic still huge"),
    raises=("stall_lg_throttle",),
    resolves=("uncoalesced_loads",),
)
