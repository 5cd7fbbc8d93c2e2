"""The pair's cure."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.stage import Needs, Stage
from app.kernels.tensor_pipe.cost import half_matmul_cost, half_matmul_launch

STAGE = Stage(
    name="mma_pipe",
    title="On the tensor pipe",
    mechanism="mma.sync m16n8k16 on the same tiles",
    change="The same tiles, multiplied by a warp at a time: 4096 operations an instruction",
    backend=BackendName.CUDA,
    improves_on="fma_pipe",
    arithmetic=Arithmetic.TENSOR_FP16_FP32ACC,
    dtypes=(Dtype.FLOAT16,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="mma_pipe",
    cost=half_matmul_cost,
    launch=half_matmul_launch,
    needs=Needs(compute_capability=(8, 0)),
    resolves=("tensor_pipe_idle",),
)
