"""CUDA rung: 8 x 8 results a thread."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.claims import table_row
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Launch, Stage

TILE = 128
THREAD_TILE = 8


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // TILE), -(-size["m"] // TILE), 1), block=(256, 1, 1))


STAGE = Stage(
    name="register_tile",
    title="Register tile",
    mechanism="8×8 outputs a thread as outer products",
    change="16 values read from shared memory feed 64 multiply-adds",
    backend=BackendName.CUDA,
    improves_on="register_tile_1d",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="register_tile",
    cost=tiled_cost({Level.DRAM: (TILE, TILE), Level.SHARED: (THREAD_TILE, THREAD_TILE)}),
    launch=_launch,
    promises=(
        less(Counted.SHARED_WAVEFRONTS),
        less(Counted.INSTRUCTIONS),
        less(Counted.L2_BYTES, 1 / 2),
    ),
    claims=table_row("L24 stage 3", 14.80e12, 0.758, 64.0, "Issue and load latency"),
    resolves=("stall_mio_throttle",),
)
