"""CUDA rung of compute capability 8.0: the ring with a pair of barriers a tile instead of one for all."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Launch, Needs, Stage

TILE = 128
THREAD_ROWS, THREAD_COLUMNS = 16, 8
THREADS = 128
BUFFERS, DEPTH, PADDING = 4, 16, 4
RING_BYTES = 4 * BUFFERS * DEPTH * (TILE + PADDING + TILE)


def _launch(size: Size) -> Launch:
    return Launch(
        grid=(-(-size["n"] // TILE), -(-size["m"] // TILE), 1),
        block=(THREADS, 1, 1),
        dynamic_shared_bytes=RING_BYTES,
    )


STAGE = Stage(
    name="pipeline",
    title="Pipeline",
    mechanism="Acquire, commit, wait, release for each tile",
    change="Each tile has its own barriers, so no warp waits for the slowest",
    backend=BackendName.CUDA,
    improves_on="cp_async",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="pipeline",
    cost=tiled_cost({Level.DRAM: (TILE, TILE), Level.SHARED: (THREAD_ROWS, THREAD_COLUMNS)}),
    launch=_launch,
    needs=Needs(compute_capability=(8, 0), shared_bytes_per_block=RING_BYTES),
    promises=(less(Counted.BARRIER_STALLS),),
)
