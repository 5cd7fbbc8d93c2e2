"""CUDA rung of compute capability 8.0: a ring of tiles filled by asynchronous copies."""

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
    name="cp_async",
    title="cp.async ring",
    mechanism="Four tiles copied ahead, past the registers",
    change="Copies go from global to shared memory without registers, three tiles ahead",
    backend=BackendName.CUDA,
    improves_on="warp_tile",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="cp_async",
    cost=tiled_cost({Level.DRAM: (TILE, TILE), Level.SHARED: (THREAD_ROWS, THREAD_COLUMNS)}),
    launch=_launch,
    needs=Needs(compute_capability=(8, 0), shared_bytes_per_block=RING_BYTES),
    promises=(less(Counted.LOAD_STALLS), less(Counted.BARRIER_STALLS)),
)
