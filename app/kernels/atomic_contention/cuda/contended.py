"""The pair's fault."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.atomic_contention.cost import histogram_cost, histogram_launch
from app.kernels.stage import Stage

STAGE = Stage(
    name="contended",
    title="Contended atomics",
    mechanism="one global atomic addition a value, 16 words",
    change="Every thread adds to one of the same 16 words in global memory",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.NONE,
    dtypes=(Dtype.INT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="contended",
    cost=histogram_cost,
    launch=histogram_launch,
    raises=("atomic_contention",),
)
