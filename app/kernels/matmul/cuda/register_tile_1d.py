"""CUDA rung: 8 results of one column a thread."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Launch, Stage

TILE = 64
THREAD_ROWS = 8
THREADS = TILE * TILE // THREAD_ROWS


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // TILE), -(-size["m"] // TILE), 1), block=(THREADS, 1, 1))


STAGE = Stage(
    name="register_tile_1d",
    title="Register column",
    mechanism="8×1 outputs a thread, one B for all",
    change="A value of B read from shared memory feeds 8 multiply-adds",
    backend=BackendName.CUDA,
    improves_on="block_tile",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="register_tile_1d",
    cost=tiled_cost({Level.DRAM: (TILE, TILE), Level.SHARED: (THREAD_ROWS, 1)}),
    launch=_launch,
    promises=(less(Counted.SHARED_WAVEFRONTS), less(Counted.INSTRUCTIONS), less(Counted.L2_BYTES, 1 / 2)),
)
