"""The pair's cure: everything in one launch."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.launch_overhead.cost import THREADS, line_cost
from app.kernels.stage import Launch, Stage


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // THREADS), 1, 1), block=(THREADS, 1, 1))


STAGE = Stage(
    name="one_launch",
    title="One launch",
    mechanism="all elements at once, a thread each",
    change="One grid covers all slices: the device starts and drains once",
    backend=BackendName.CUDA,
    improves_on="many_launches",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="one_launch",
    cost=line_cost,
    launch=_launch,
    resolves=("launch_bound",),
)
