"""The one fixed tile of the sweep over rows."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Launch, Needs, Stage

TILE, BK = 128, 16
# More than half of what an SM has on Ampere and Hopper, so that it holds one block.
SHARED_BYTES = 120 << 10


def _launch(size: Size) -> Launch:
    return Launch((size["n"] // TILE, -(-size["m"] // TILE), 1), (256, 1, 1), SHARED_BYTES)


def _why_not(size: Size) -> str | None:
    if size["n"] % TILE == 0 and size["k"] % BK == 0:
        return None
    return f"takes n as a multiple of {TILE} and k of {BK} only: rows are the variable"


STAGE = Stage(
    name="one_tile",
    title="128×128 tile",
    mechanism="one tile a block, one block an SM",
    change="The only version: the variable is the number of rows",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="one_tile",
    cost=tiled_cost({Level.DRAM: (TILE, TILE), Level.SHARED: (8, 8)}),
    launch=_launch,
    needs=Needs(compute_capability=(8, 0), shared_bytes_per_block=SHARED_BYTES),
    why_not=_why_not,
)
