"""CUDA library line: cuBLAS SGEMM in CUBLAS_DEFAULT_MATH, where TF32 stays off.

There is no kernel source: the backend calls `cublasSgemm` on the same arrays and records the library's
version and math mode.
"""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.matmul.cost import library_cost
from app.kernels.stage import Stage

STAGE = Stage(
    name="cublas",
    title="cuBLAS",
    mechanism="cublasSgemm, default math, TF32 off",
    change="NVIDIA's tuned library",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.LIBRARY,
    source=Path(__file__),
    entry="",
    cost=library_cost,
    reference=True,
)
