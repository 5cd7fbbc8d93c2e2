"""CUDA rung: 64 x 64 results a warp, 16 x 8 a thread."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Launch, Stage

TILE = 128
THREAD_ROWS, THREAD_COLUMNS = 16, 8
THREADS = 128


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // TILE), -(-size["m"] // TILE), 1), block=(THREADS, 1, 1))


STAGE = Stage(
    name="warp_tile",
    title="Warp tile",
    mechanism="64×64 outputs a warp, 16×8 a thread",
    change="24 values from shared memory feed 128 multiply-adds, with half the threads",
    backend=BackendName.CUDA,
    improves_on="double_buffer",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="warp_tile",
    cost=tiled_cost({Level.DRAM: (TILE, TILE), Level.SHARED: (THREAD_ROWS, THREAD_COLUMNS)}),
    launch=_launch,
    promises=(less(Counted.SHARED_WAVEFRONTS, 3 / 4), less(Counted.INSTRUCTIONS)),
)
