"""The trap first, so that the other one is measured by a second child."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, CellStatus, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Stage
from app.kernels.trap import Trap

TRAP = Trap("It never returns.", "hung: no sign of life", CellStatus.FAILED, deadline_s=1.0)


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = 2 * dtype.item_bytes * size["n"]
    return Cost(0, moved, {Level.DRAM: moved})


def _stage(name: str, trap: Trap | None) -> Stage:
    return Stage(
        name=name,
        title=name,
        mechanism=name,
        change=name,
        backend=BackendName.CPU,
        improves_on=None,
        arithmetic=Arithmetic.NONE,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=ReuseLevel.NONE,
        source=Path(__file__).with_name(f"{name}_kernel.py"),
        entry="run",
        cost=_cost,
        trap=trap,
    )


STAGES = (_stage("endless", TRAP), _stage("good", None))
