"""The pair's cure."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.atomic_contention.cost import histogram_cost, histogram_launch
from app.kernels.stage import Stage

STAGE = Stage(
    name="privatised",
    title="Privatised atomics",
    mechanism="a copy of the bins a warp, added up",
    change="Each warp counts in shared memory; a block adds to each global bin once",
    backend=BackendName.CUDA,
    improves_on="contended",
    arithmetic=Arithmetic.NONE,
    dtypes=(Dtype.INT32,),
    reuse_level=ReuseLevel.SHARED,
    source=Path(__file__).with_suffix(".cu"),
    entry="privatised",
    cost=histogram_cost,
    launch=histogram_launch,
    resolves=("atomic_contention",),
)
