"""CUDA library line: the fastest of eight algorithms that cuBLASLt's heuristics name, sums in float32.

There is no kernel source: the backend times each briefly on the same arrays when the cell is prepared, keeps
the fastest and records which it was.
"""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.stage import Stage
from app.kernels.tensor_matmul.cost import library_cost


def _line(suffix: str, dtype: Dtype, arithmetic: Arithmetic) -> Stage:
    return Stage(
        name=f"cublaslt_{suffix}",
        title=f"cuBLASLt {suffix}",
        mechanism="cublasLtMatmul, fastest of eight heuristics, float32 sums",
        change="NVIDIA's tuned library, its algorithm chosen by timing",
        backend=BackendName.CUDA,
        improves_on=None,
        arithmetic=arithmetic,
        dtypes=(dtype,),
        reuse_level=ReuseLevel.LIBRARY,
        source=Path(__file__),
        entry="",
        cost=library_cost,
        reference=True,
    )


STAGES = (
    _line("fp16", Dtype.FLOAT16, Arithmetic.TENSOR_FP16_FP32ACC),
    _line("bf16", Dtype.BFLOAT16, Arithmetic.TENSOR_BF16_FP32ACC),
)
