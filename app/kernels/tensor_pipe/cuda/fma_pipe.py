"""The pair's fault."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.stage import Stage
from app.kernels.tensor_pipe.cost import half_matmul_cost, half_matmul_launch

STAGE = Stage(
    name="fma_pipe",
    title="Off the tensor pipe",
    mechanism="halves turned into floats, ordinary multiply-adds",
    change="Halves are turned into floats and multiplied as any float",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT16,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="fma_pipe",
    cost=half_matmul_cost,
    launch=half_matmul_launch,
    raises=("tensor_pipe_idle",),
)
