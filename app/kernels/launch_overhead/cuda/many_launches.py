"""The pair's fault: a launch for every 4096 elements, back to back on one stream."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.launch_overhead.cost import THREADS, line_cost
from app.kernels.launch_overhead.problem import SLICE
from app.kernels.stage import Launch, Stage


def _launch(size: Size) -> Launch:
    return Launch(grid=(SLICE // THREADS, 1, 1), block=(THREADS, 1, 1), launches=-(-size["n"] // SLICE))


STAGE = Stage(
    name="many_launches",
    title="Many launches",
    mechanism="a launch of a microsecond every 4096 elements",
    change="Each slice is a launch of its own: the device starts and drains every time",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="many_launches",
    cost=line_cost,
    launch=_launch,
    raises=("launch_bound",),
)
