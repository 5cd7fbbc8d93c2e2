"""The pair's fault."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.branch_divergence.cost import branch_cost, branch_launch
from app.kernels.stage import Stage

STAGE = Stage(
    name="divergent",
    title="Divergent branch",
    mechanism="neighbouring lanes take eight different branches",
    change="Thread i does element i, whose kind picks the branch",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="divergent",
    cost=branch_cost,
    launch=branch_launch,
    raises=("divergence",),
)
