"""CUDA library line: the fastest of eight algorithms that cuBLASLt's heuristics name, sums in float32.

There is no kernel source: the backend times each briefly on the same arrays when the cell is prepared, keeps
the fastest and records which it was.
"""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.matmul.cost import library_cost
from app.kernels.stage import Stage

STAGE = Stage(
    name="cublaslt",
    title="cuBLASLt",
    mechanism="cublasLtMatmul, fastest of eight heuristics, TF32 off",
    change="NVIDIA's tuned library, its algorithm chosen by timing",
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
