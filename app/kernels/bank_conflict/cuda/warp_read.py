"""Reads of one pattern at full rate: time follows the wavefronts."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.bank_conflict.problem import BLOCKS, READS, THREADS, WORDS, request_wavefronts
from app.kernels.stage import Cost, Launch, Stage

WAVEFRONT_BYTES = 128
REQUESTS = BLOCKS * THREADS // 32 * READS


def _cost(size: Size, dtype: Dtype) -> Cost:
    least = dtype.item_bytes * (WORDS + BLOCKS * THREADS)
    shared = WAVEFRONT_BYTES * REQUESTS * request_wavefronts(size)
    return Cost(0, least, {Level.DRAM: least, Level.SHARED: shared})


STAGE = Stage(
    name="warp_read",
    title="Shared-memory reads",
    mechanism="Every warp reads one pattern of words, 1024 times",
    change="The stride between lanes decides in how many banks they meet",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.NONE,
    dtypes=(Dtype.INT32,),
    reuse_level=ReuseLevel.SHARED,
    source=Path(__file__).with_suffix(".cu"),
    entry="warp_read",
    cost=_cost,
    launch=lambda size: Launch(grid=(BLOCKS, 1, 1), block=(THREADS, 1, 1)),
    intensity_level=Level.SHARED,
)
