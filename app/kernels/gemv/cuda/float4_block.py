"""Matrix-vector product with 16-byte loads and a block a row."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.gemv.cost import gemv_cost
from app.kernels.movement import multiple_of
from app.kernels.stage import Launch, Stage

STAGE = Stage(
    name="float4_block",
    title="float4, a block a row",
    mechanism="a block a row, 16-byte loads",
    change="256 threads share a row: shorter blocks, a shorter tail",
    backend=BackendName.CUDA,
    improves_on="float4",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="float4_block",
    cost=gemv_cost,
    launch=lambda size: Launch(grid=(size["n"], 1, 1), block=(256, 1, 1)),
    why_not=multiple_of("k", 4),
)
