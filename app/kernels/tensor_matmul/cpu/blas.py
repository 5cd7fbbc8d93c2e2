"""CPU library line: the operands widened to float32, NumPy's BLAS, the result rounded."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.stage import Stage
from app.kernels.tensor_matmul.cost import library_cost

STAGE = Stage(
    name="blas",
    title="BLAS",
    mechanism="Widened to float32, NumPy's sgemm, rounded",
    change="A tuned library for float32: half precision only saves memory here",
    backend=BackendName.CPU,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT16,),
    reuse_level=ReuseLevel.LIBRARY,
    source=Path(__file__).with_name("blas_kernel.py"),
    entry="run",
    cost=library_cost,
    reference=True,
)
