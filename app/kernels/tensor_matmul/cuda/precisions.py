"""The two element types of the ladder: one source serves both, a constant chooses."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.vocabulary import Arithmetic, Dtype


@dataclass(frozen=True)
class Precision:
    """`suffix` ends a rung's name; `options` tell the source which type its 16 bits are."""

    suffix: str
    dtype: Dtype
    arithmetic: Arithmetic
    options: tuple[str, ...] = ()


PRECISIONS = (
    Precision("fp16", Dtype.FLOAT16, Arithmetic.TENSOR_FP16_FP32ACC),
    Precision("bf16", Dtype.BFLOAT16, Arithmetic.TENSOR_BF16_FP32ACC, ("-DBFLOAT16=1",)),
)
