"""Two pairs of one source: with 64 live values a cap on registers spills, with 8 it changes nothing."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.occupancy_spill.problem import RINGS, ROUNDS, VALUES
from app.kernels.stage import Cost, Launch, Stage

THREADS = 256
FORCED_BLOCKS = 8  # an SM: at most 32 registers a thread


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = 2 * VALUES * size["n"] * dtype.item_bytes
    return Cost(2 * VALUES * ROUNDS * size["n"], moved, {Level.DRAM: moved, Level.L2: moved})


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // THREADS), 1, 1), block=(THREADS, 1, 1))


def _stage(
    name: str, title: str, mechanism: str, change: str, parent: str | None, held: int, blocks: int
) -> Stage:
    return Stage(
        name=name,
        title=title,
        mechanism=mechanism,
        change=change,
        backend=BackendName.CUDA,
        improves_on=parent,
        arithmetic=Arithmetic.FP32,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=ReuseLevel.REGISTERS,
        source=Path(__file__).with_suffix(".cu"),
        entry="averaging",
        compile_options=(f"-DHELD={held}", f"-DMIN_BLOCKS={blocks}"),
        cost=_cost,
        launch=_launch,
        spills=held == RINGS and blocks == FORCED_BLOCKS,
        raises=("register_spills",) if held == RINGS and blocks == FORCED_BLOCKS else (),
    )


STAGES = (
    _stage(
        "free",
        "64 values, free",
        "64 live values a thread, registers as needed",
        "The compiler takes the registers it needs",
        None,
        RINGS,
        1,
    ),
    _stage(
        "capped",
        "64 values, 8 blocks forced",
        "64 live values a thread, at most 32 registers",
        "Eight blocks an SM: what does not fit 32 registers is spilled to local memory",
        "free",
        RINGS,
        FORCED_BLOCKS,
    ),
    _stage(
        "lecture_free",
        "Lecture's pair, free",
        "8 live values a thread, registers as needed",
        "One ring at a time: 8 live values instead of 64",
        "free",
        1,
        1,
    ),
    _stage(
        "lecture_forced",
        "Lecture's pair, 8 blocks forced",
        "8 live values a thread, at most 32 registers",
        "Eight blocks an SM, which it already had",
        "lecture_free",
        1,
        FORCED_BLOCKS,
    ),
)
