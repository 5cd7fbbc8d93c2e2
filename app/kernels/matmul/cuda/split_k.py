"""CUDA rung: slices of k over the whole GPU, for few results with long sums."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less, more
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.splitting import Split
from app.kernels.stage import Launch, Needs, Stage

WARPS, BUFFERS, BK, TILE = 8, 4, 8, 32
RING_BYTES = 4 * WARPS * BUFFERS * (TILE * (BK + 4) + BK * TILE)
SPLIT = Split(tile_rows=TILE, tile_columns=TILE, step=BK, least_steps=WARPS)
MOST_WAVES = 2


def _launch(size: Size) -> Launch:
    return Launch(
        grid=(-(-size["n"] // TILE), -(-size["m"] // TILE), SPLIT.slices(size)),
        block=(32 * WARPS, 1, 1),
        dynamic_shared_bytes=RING_BYTES,
    )


STAGE = Stage(
    name="split_k",
    title="Split-K",
    mechanism="Slices of k on all SMs, added in order",
    change="Slices of k fill the GPU where results alone would not; the last block of a tile adds them up",
    backend=BackendName.CUDA,
    improves_on="double_buffer",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="split_k",
    cost=SPLIT.cost,
    launch=_launch,
    scratch_bytes=SPLIT.scratch_bytes,
    needs=Needs(compute_capability=(8, 0), shared_bytes_per_block=RING_BYTES),
    why_not=lambda size: SPLIT.why_not_beyond(MOST_WAVES, size),
    promises=(more(Counted.BUSY_MULTIPROCESSORS), more(Counted.L2_BYTES), less(Counted.BARRIER_STALLS)),
)
