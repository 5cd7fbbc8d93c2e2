"""Matrix-vector product with 16-byte loads and a block four rows."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.gemv.cost import gemv_cost
from app.kernels.movement import multiple_of
from app.kernels.stage import Launch, Stage

STAGE = Stage(
    name="float4_rows",
    title="float4, a block four rows",
    mechanism="512 threads and four rows a block",
    change="Each float4 of x serves four rows, and eight loads of W are under way a thread",
    backend=BackendName.CUDA,
    improves_on="float4_block",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="float4_rows",
    cost=gemv_cost,
    launch=lambda size: Launch(grid=(-(-size["n"] // 4), 1, 1), block=(512, 1, 1)),
    why_not=multiple_of("k", 4),
)
