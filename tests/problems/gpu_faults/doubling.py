"""How every stage of this ladder is declared, but for its name and what it does wrong."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Launch, Needs, Stage

HERE = Path(__file__).parent


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = 2 * dtype.item_bytes * size["n"]
    return Cost(0, moved, {Level.DRAM: moved})


def doubling(name: str, fault: str, needs: Needs | None = None) -> Stage:
    return Stage(
        name=name,
        title=name.replace("_", " "),
        mechanism=fault,
        change=fault,
        backend=BackendName.CUDA,
        improves_on=None if name == "good" else "good",
        arithmetic=Arithmetic.NONE,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=ReuseLevel.NONE,
        source=HERE / f"{name}.cu",
        entry=name,
        cost=_cost,
        launch=lambda size: Launch((-(-size["n"] // 256), 1, 1), (256, 1, 1)),
        needs=needs or Needs(),
    )
