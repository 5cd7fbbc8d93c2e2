"""The pair: the copy that each start allows, as a library would choose it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Launch, Stage

THREADS = 256
VECTOR = 4
WARP = 32
SECTOR_BYTES = 32
SECTORS_SHIFTED = 5  # 128 bytes from word 1 on reach into a fifth sector


def _copied(size: Size, dtype: Dtype) -> int:
    return 2 * size["n"] * dtype.item_bytes


def _shifted_cost(size: Size, dtype: Dtype) -> Cost:
    """A warp's request touches a fifth sector; its neighbour asks for that sector again."""
    read = -(-size["n"] // WARP) * SECTORS_SHIFTED * SECTOR_BYTES
    asked = read + size["n"] * dtype.item_bytes
    return Cost(0, _copied(size, dtype), {Level.DRAM: _copied(size, dtype), Level.L1: asked})


def _aligned_cost(size: Size, dtype: Dtype) -> Cost:
    moved = _copied(size, dtype)
    return Cost(0, moved, {Level.DRAM: moved, Level.L1: moved})


def _shifted_launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // THREADS), 1, 1), block=(THREADS, 1, 1))


def _aligned_launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // (VECTOR * THREADS)), 1, 1), block=(THREADS, 1, 1))


_MISALIGNED = Stage(
    name="misaligned",
    title="Slice from word 1",
    mechanism="4-byte loads, 5 sectors a warp request",
    change="The slice starts one word past a boundary: no vector load is allowed",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.NONE,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="copy_slice",
    compile_options=("-DALIGNED=0",),
    cost=_shifted_cost,
    launch=_shifted_launch,
    raises=("misaligned_access",),
)
STAGES = (
    _MISALIGNED,
    replace(
        _MISALIGNED,
        name="aligned",
        title="Slice from a boundary",
        mechanism="16-byte loads, every sector whole",
        change="The slice starts on a boundary: four elements a load and a store",
        improves_on="misaligned",
        raises=(),
        resolves=("misaligned_access",),
        compile_options=("-DALIGNED=1",),
        cost=_aligned_cost,
        launch=_aligned_launch,
    ),
)
