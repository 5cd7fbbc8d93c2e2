"""How both backends declare the trap: a kernel that copies where it should double."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, CellStatus, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Launch, Stage
from app.kernels.trap import Trap

TRAP = Trap(
    fools="Zero times anything is zero: a kernel that multiplies by the wrong factor passes every check, and "
    "draws less power than real data would.",
    says="is all zeros",
    status=CellStatus.FAILED,
)


def zero_inputs(
    backend: BackendName, source: Path, entry: str, launch: Callable[[Size], Launch] | None = None
) -> Stage:
    """The stage of one backend."""
    return Stage(
        name="zero_inputs",
        title="Inputs all zero",
        mechanism="Copies where it should double",
        change="A fault made on purpose",
        backend=backend,
        improves_on=None,
        arithmetic=Arithmetic.FP32,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=ReuseLevel.NONE,
        source=source,
        entry=entry,
        cost=_cost,
        launch=launch,
        trap=TRAP,
    )


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = 2 * dtype.item_bytes * size["n"]
    return Cost(size["n"], moved, {Level.DRAM: moved})
