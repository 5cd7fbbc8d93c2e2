"""Matrix-vector product with 16-byte loads."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.gemv.cost import gemv_cost, gemv_launch
from app.kernels.movement import multiple_of
from app.kernels.stage import Stage

STAGE = Stage(
    name="float4",
    title="float4",
    mechanism="a warp a row, 16-byte loads",
    change="Each lane has 128 bytes under way",
    backend=BackendName.CUDA,
    improves_on="scalar",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_name("float4_loads.cu"),
    entry="float4_loads",
    cost=gemv_cost,
    launch=gemv_launch,
    why_not=multiple_of("k", 4),
)
