"""CPU library line: NumPy's matrix product, which calls its BLAS."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.matmul.cost import library_cost
from app.kernels.stage import Stage

STAGE = Stage(
    name="blas",
    title="BLAS",
    mechanism="NumPy's sgemm on all cores",
    change="A tuned library: packed panels, hand-scheduled vector code",
    backend=BackendName.CPU,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.LIBRARY,
    source=Path(__file__).with_name("blas_kernel.py"),
    entry="run",
    cost=library_cost,
    reference=True,
)
