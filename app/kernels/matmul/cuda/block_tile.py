"""CUDA rung: tiles of A and B in shared memory."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less, more
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.claims import table_row
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Launch, Stage

TILE = 32


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // TILE), -(-size["m"] // TILE), 1), block=(TILE, TILE, 1))


STAGE = Stage(
    name="block_tile",
    title="Block tile",
    mechanism="32×32 tiles of A and B in shared memory",
    change="Each value loaded from DRAM serves 32 threads of the block",
    backend=BackendName.CUDA,
    improves_on="coalesced",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.SHARED,
    source=Path(__file__).with_suffix(".cu"),
    entry="block_tile",
    cost=tiled_cost({Level.DRAM: (TILE, TILE), Level.SHARED: (1, 1)}),
    launch=_launch,
    promises=(
        less(Counted.GLOBAL_REQUESTS, 1 / 32),
        less(Counted.L2_BYTES),
        more(Counted.SHARED_WAVEFRONTS),
    ),
    claims=table_row("L24 stage 2", 4.20e12, 0.215, 8.0, "Shared-memory read bandwidth"),
    raises=("stall_mio_throttle",),
    resolves=("stall_lg_throttle",),
)
