"""One source, six launches: blocks of 32 to 1024 threads."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Launch, Stage

THREADS = (32, 64, 128, 256, 512, 1024)


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = 2 * size["n"] * dtype.item_bytes
    return Cost(size["n"], moved, {Level.DRAM: moved, Level.L2: moved})


def _with_threads(threads: int) -> Stage:
    def launch(size: Size) -> Launch:
        return Launch(grid=(-(-size["n"] // threads), 1, 1), block=(threads, 1, 1))

    return Stage(
        name=f"threads_{threads}",
        title=f"{threads} threads",
        mechanism=f"One element a thread, {threads} threads a block",
        change="Twice as many threads a block" if threads > THREADS[0] else "One warp a block",
        backend=BackendName.CUDA,
        improves_on=f"threads_{threads // 2}" if threads > THREADS[0] else None,
        arithmetic=Arithmetic.FP32,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=ReuseLevel.NONE,
        source=Path(__file__).with_suffix(".cu"),
        entry="scale",
        cost=_cost,
        launch=launch,
    )


STAGES = tuple(_with_threads(threads) for threads in THREADS)
