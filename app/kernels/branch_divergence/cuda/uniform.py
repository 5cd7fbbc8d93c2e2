"""The pair's cure."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.branch_divergence.cost import branch_cost, branch_launch
from app.kernels.stage import Stage

STAGE = Stage(
    name="uniform",
    title="Uniform branch",
    mechanism="regrouped so that a warp takes one branch",
    change="Elements are regrouped through shared memory: each warp gets one kind",
    backend=BackendName.CUDA,
    improves_on="divergent",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.SHARED,
    source=Path(__file__).with_suffix(".cu"),
    entry="uniform",
    cost=branch_cost,
    launch=branch_launch,
    resolves=("divergence",),
)
