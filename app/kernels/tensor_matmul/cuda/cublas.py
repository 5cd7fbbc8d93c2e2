"""CUDA library line: cublasGemmEx with fp16 or bf16 in and out and CUBLAS_COMPUTE_32F.

There is no kernel source: the backend calls the library on the same arrays and records its version.
"""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.stage import Stage
from app.kernels.tensor_matmul.cost import library_cost


def _line(suffix: str, dtype: Dtype, arithmetic: Arithmetic) -> Stage:
    return Stage(
        name=f"cublas_{suffix}",
        title=f"cuBLAS {suffix}",
        mechanism="cublasGemmEx, sums in float32",
        change="NVIDIA's tuned library",
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
