"""CUDA rungs for few results with long sums: slices of k over the whole GPU, straight to the tensor cores."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less, more
from app.domain.size import Size
from app.domain.vocabulary import BackendName, ReuseLevel
from app.kernels.splitting import Split
from app.kernels.stage import Launch, Needs, Stage
from app.kernels.tensor_matmul.cuda.precisions import PRECISIONS, Precision

STEP, MOST_ROWS, MOST_WAVES = 32, 8, 2
SPLIT_K_WARPS, ROW_SPLIT_WARPS = 8, 4
SPLIT_K = Split(tile_rows=16, tile_columns=16, step=STEP, least_steps=SPLIT_K_WARPS)
ROW_SPLIT = Split(
    tile_rows=MOST_ROWS, tile_columns=16, step=STEP, least_steps=4 * ROW_SPLIT_WARPS, blocks_per_sm=6
)
NEEDS = Needs(compute_capability=(8, 0))
SOURCE = Path(__file__).with_suffix(".cu")


def _launch(split: Split, warps: int, size: Size) -> Launch:
    grid = (-(-size["n"] // split.tile_columns), -(-size["m"] // split.tile_rows), split.slices(size))
    return Launch(grid=grid, block=(32 * warps, 1, 1))


def _more_rows(size: Size) -> str | None:
    if size["m"] <= MOST_ROWS:
        return None
    return f"takes at most {MOST_ROWS} rows of A, {size['m']:,} are asked for: more rows need tiles"


def _split_k(precision: Precision) -> Stage:
    return Stage(
        name=f"split_k_{precision.suffix}",
        title=f"Split-K {precision.suffix}",
        mechanism="16×16 tiles, k over all SMs, fragments from global",
        change="Slices of k fill the GPU where results alone would not; the last block of a tile adds them",
        backend=BackendName.CUDA,
        improves_on=f"mma_sync_{precision.suffix}",
        arithmetic=precision.arithmetic,
        dtypes=(precision.dtype,),
        reuse_level=ReuseLevel.NONE,
        source=SOURCE,
        entry="split_k",
        cost=SPLIT_K.cost,
        launch=lambda size: _launch(SPLIT_K, SPLIT_K_WARPS, size),
        scratch_bytes=SPLIT_K.scratch_bytes,
        needs=NEEDS,
        compile_options=precision.options,
        why_not=lambda size: SPLIT_K.why_not_beyond(MOST_WAVES, size),
        promises=(more(Counted.BUSY_MULTIPROCESSORS), less(Counted.SHARED_WAVEFRONTS)),
    )


def _row_split(precision: Precision) -> Stage:
    return Stage(
        name=f"split_k_rows_{precision.suffix}",
        title=f"Split-K by rows {precision.suffix}",
        mechanism="16 rows of B times 8 of A",
        change="Operands change places: 16 rows of B fill an mma, up to eight rows of A cost one pass over B",
        backend=BackendName.CUDA,
        improves_on=f"split_k_{precision.suffix}",
        arithmetic=precision.arithmetic,
        dtypes=(precision.dtype,),
        reuse_level=ReuseLevel.NONE,
        source=SOURCE,
        entry="split_k",
        cost=ROW_SPLIT.cost,
        launch=lambda size: _launch(ROW_SPLIT, ROW_SPLIT_WARPS, size),
        scratch_bytes=ROW_SPLIT.scratch_bytes,
        needs=NEEDS,
        compile_options=(*precision.options, "-DROW_SPLIT=1"),
        why_not=_more_rows,
        promises=(less(Counted.TENSOR_INSTRUCTIONS, 1 / 2), less(Counted.GLOBAL_REQUESTS)),
    )


STAGES = tuple(make(precision) for make in (_split_k, _row_split) for precision in PRECISIONS)
