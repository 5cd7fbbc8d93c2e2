"""CUDA rung: one to eight rows of A, where reading B once is all there is to do."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less, more
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.splitting import Split
from app.kernels.stage import Launch, Needs, Stage

SIDE, WARPS, MOST_ROWS, DEPTH, BLOCKS_PER_SM = 1, 8, 8, 8, 2
COLUMNS = 128 * SIDE
SPLIT = Split(
    tile_rows=MOST_ROWS,
    tile_columns=COLUMNS,
    step=1,
    least_steps=WARPS // SIDE * DEPTH,
    blocks_per_sm=BLOCKS_PER_SM,
)


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // COLUMNS), SPLIT.slices(size), 1), block=(32 * WARPS, 1, 1))


def _why_not(size: Size) -> str | None:
    if size["m"] <= MOST_ROWS:
        return None
    return f"takes at most {MOST_ROWS} rows of A, {size['m']:,} are asked for: more rows need tiles"


STAGE = Stage(
    name="row_split",
    title="Row split",
    mechanism="B read once by rows, slices of k",
    change="No tile of A: up to eight rows stay in registers, and B streams past all of them once",
    backend=BackendName.CUDA,
    improves_on="split_k",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="row_split",
    cost=SPLIT.cost,
    launch=_launch,
    scratch_bytes=SPLIT.scratch_bytes,
    needs=Needs(compute_capability=(7, 0)),
    why_not=_why_not,
    promises=(less(Counted.INSTRUCTIONS), less(Counted.SHARED_WAVEFRONTS), more(Counted.GLOBAL_REQUESTS)),
)
