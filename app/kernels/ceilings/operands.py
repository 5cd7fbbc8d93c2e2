"""The element types whose rate the tensor pipe's micro-benchmarks measure."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.vocabulary import Arithmetic

INSTRUCTION_DEPTH_BITS = 256  # of mma.sync and of WGMMA, whatever the type


@dataclass(frozen=True)
class Operand:
    """A type of both factors; sums are FP32. `name` in capitals is what the sources switch on."""

    name: str
    arithmetic: Arithmetic
    bits: int

    @property
    def title(self) -> str:
        """As the field writes it."""
        return self.name.upper()

    @property
    def depth(self) -> int:
        """k of one instruction: 16 for halves."""
        return INSTRUCTION_DEPTH_BITS // self.bits


OPERANDS = (
    Operand("fp16", Arithmetic.TENSOR_FP16_FP32ACC, 16),
    Operand("bf16", Arithmetic.TENSOR_BF16_FP32ACC, 16),
    Operand("tf32", Arithmetic.TENSOR_TF32_FP32ACC, 32),
    Operand("fp8", Arithmetic.TENSOR_FP8_FP32ACC, 8),
)
