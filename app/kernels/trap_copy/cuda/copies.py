"""Traps around a copy: what fools a benchmark although, or before, the kernel is right."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, CellStatus, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Launch, Stage
from app.kernels.trap import Clock, Trap

BLOCK = 256
HERE = Path(__file__).parent


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = 2 * dtype.item_bytes * size["n"]
    return Cost(0, moved, {Level.DRAM: moved})


def _copy(name: str, title: str, mechanism: str, trap: Trap, entry: str = "plain_copy") -> Stage:
    return Stage(
        name=name,
        title=title,
        mechanism=mechanism,
        change="A fault made on purpose",
        backend=BackendName.CUDA,
        improves_on=None,
        arithmetic=Arithmetic.NONE,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=ReuseLevel.NONE,
        source=HERE / f"{entry}.cu",
        entry=entry,
        cost=_cost,
        launch=lambda size: Launch((-(-size["n"] // BLOCK), 1, 1), (BLOCK, 1, 1)),
        trap=trap,
    )


STAGES = (
    _copy(
        "no_synchronisation",
        "Timed without synchronising",
        "The clock stops when the launch is queued",
        Trap(
            fools="A launch returns at once, so the host's clock measures the queueing and the copy looks a "
            "hundred times faster than the memory.",
            says="the clock stopped before the kernel did",
            status=CellStatus.MEASURED,
            clock=Clock.UNSYNCHRONISED,
        ),
    ),
    _copy(
        "first_launch",
        "Only the first launch timed",
        "Compiling and loading lie in the window",
        Trap(
            fools="The first launch also compiles and loads the code and touches the context: its time says "
            "nothing of the kernel.",
            says="launch once before timing",
            status=CellStatus.MEASURED,
            clock=Clock.FIRST_LAUNCH,
        ),
    ),
    _copy(
        "wrong_architecture",
        "Compiled for another GPU",
        "Machine code of another generation",
        Trap(
            fools="Without a check of the launch's status nothing runs and nothing is said: the output keeps "
            "what lay there.",
            says="no kernel image for this GPU",
            status=CellStatus.FAILED,
            foreign_architecture=True,
        ),
    ),
    _copy(
        "divergent_barrier",
        "A barrier in a divergent branch",
        "Half a warp waits for the other half",
        Trap(
            fools="Threads that never reach a barrier hold the others for ever: the launch hangs, and the "
            "benchmark with it.",
            says="hung: no sign of life",
            status=CellStatus.FAILED,
            deadline_s=5.0,
        ),
        entry="divergent_barrier",
    ),
)
