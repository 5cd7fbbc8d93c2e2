"""Matrix-vector product with 4-byte loads."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.gemv.cost import gemv_cost, gemv_launch
from app.kernels.stage import Stage

STAGE = Stage(
    name="scalar",
    title="float",
    mechanism="a warp a row, 4-byte loads",
    change="Each lane has 32 bytes under way",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_name("scalar.cu"),
    entry="scalar",
    cost=gemv_cost,
    launch=gemv_launch,
)
