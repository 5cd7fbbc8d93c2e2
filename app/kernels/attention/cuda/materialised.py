"""CUDA rung: scores written to memory, in three launches."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.attention.cost import FLOAT32_BYTES, materialised_cost
from app.kernels.stage import Launch, Stage

TILE = 64
PER_THREAD = 4
THREADS = 256


def _launch(size: Size) -> Launch:
    tiles = -(-size["length"] // TILE)
    return Launch(grid=(tiles, tiles, size["heads"]), block=(THREADS, 1, 1), launches=3)


def _scratch_bytes(size: Size) -> int:
    return size["heads"] * size["length"] * size["length"] * FLOAT32_BYTES


STAGE = Stage(
    name="materialised",
    title="Materialised scores",
    mechanism="Q·Kᵀ to memory, softmax in place, then ·V",
    change="Three kernels with length × length float32 scores a head between them",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT16,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="materialised",
    cost=materialised_cost(TILE, PER_THREAD),
    launch=_launch,
    scratch_bytes=_scratch_bytes,
)
