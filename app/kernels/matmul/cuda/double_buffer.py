"""CUDA rung: 128-bit loads and two sets of tiles."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.claims import table_row
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Launch, Stage

TILE_ROWS, TILE_COLUMNS = 128, 128
THREAD_ROWS, THREAD_COLUMNS = 8, 8


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // TILE_COLUMNS), -(-size["m"] // TILE_ROWS), 1), block=(256, 1, 1))


STAGE = Stage(
    name="double_buffer",
    title="Vectorised, double buffer",
    mechanism="float4 loads, next tile fetched while multiplying",
    change="128-bit loads, and the loads of the next tile overlap the arithmetic of this one",
    backend=BackendName.CUDA,
    improves_on="register_tile",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="double_buffer",
    cost=tiled_cost({Level.DRAM: (TILE_ROWS, TILE_COLUMNS), Level.SHARED: (THREAD_ROWS, THREAD_COLUMNS)}),
    launch=_launch,
    promises=(
        less(Counted.LOAD_STALLS),
        less(Counted.GLOBAL_REQUESTS, 1 / 4),
        less(Counted.BARRIER_STALLS),
    ),
    claims=table_row("L24 stage 4", 18.20e12, 0.933, 64.0, "FP32 limit"),
)
