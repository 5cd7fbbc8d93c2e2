"""CUDA rung of compute capability 9.0: the copy engine fills a ring, eight warps only multiply."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.copy_engine import why_not_rows_of_16_bytes
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Launch, Needs, Stage, TensorMap

TILE_ROWS, TILE_COLUMNS, TILE_DEPTH, RING_TILES = 256, 128, 32, 4
THREAD_ROWS, THREAD_COLUMNS = 8, 16
THREADS, MATH_THREADS = 384, 256
RING_BYTES = RING_TILES * 4 * TILE_DEPTH * (TILE_ROWS + TILE_COLUMNS)
RESULT_BYTES = MATH_THREADS * 4 * THREAD_COLUMNS  # a row of results of every thread on its way out
ALIGNMENT_BYTES = 1024
SHARED_BYTES = RING_BYTES + RESULT_BYTES + ALIGNMENT_BYTES


def _launch(size: Size) -> Launch:
    tiles = -(-size["n"] // TILE_COLUMNS) * -(-size["m"] // TILE_ROWS)
    return Launch(grid=(tiles, 1, 1), block=(THREADS, 1, 1), dynamic_shared_bytes=SHARED_BYTES)


STAGE = Stage(
    name="hopper",
    title="Hopper",
    mechanism="TMA ring, producer warps, bank-aware registers",
    change="The copy engine loads, math warps only multiply, and C sits in the other register bank than B",
    backend=BackendName.CUDA,
    improves_on="pipeline",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="hopper",
    cost=tiled_cost({Level.DRAM: (TILE_ROWS, TILE_COLUMNS), Level.SHARED: (THREAD_ROWS, THREAD_COLUMNS)}),
    launch=_launch,
    tensor_maps=(
        TensorMap("A", (TILE_ROWS, TILE_DEPTH), swizzle_bytes=128),
        TensorMap("B", (TILE_DEPTH, TILE_COLUMNS)),
    ),
    needs=Needs(compute_capability=(9, 0), same_major=True, shared_bytes_per_block=SHARED_BYTES),
    why_not=why_not_rows_of_16_bytes,
)
