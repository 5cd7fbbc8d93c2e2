"""right, one step after the other; refuses step 4."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Stage


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = 3 * dtype.item_bytes * size["n"]
    return Cost(0, moved, {Level.DRAM: moved})


def _stage(name: str) -> Stage:
    return Stage(
        name=name,
        title=name.replace("_", " "),
        mechanism="picks elements",
        change="picks elements",
        backend=BackendName.CPU,
        improves_on=None,
        arithmetic=Arithmetic.NONE,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=ReuseLevel.NONE,
        source=Path(__file__).with_name("gather_kernel.py"),
        entry="run",
        cost=_cost,
        why_not=lambda size: "takes steps below 4" if size["step"] >= 4 else None,
    )


STAGES = (_stage("gather"), _stage("gather_again"))
