"""Half-precision products that do not use the tensor pipe."""

from __future__ import annotations

import re

from app.analysis.gain import SM, dram_fraction, more_of
from app.analysis.rule import Judgement, Rule, clear, found, not_applicable, seen
from app.domain.finding import GainScope, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence
from app.domain.vocabulary import Dtype

HALVES = (Dtype.FLOAT16, Dtype.BFLOAT16)
HALF_IN_SIGNATURE = re.compile(r"__half|__nv_bfloat16|\bhalf\b|bf16|fp16")
# Dense half-precision operations a clock over those of the FMA pipe, least of all generations since 7.0.
TENSOR_OVER_FMA = 8.0
# FLOP a DRAM byte from which products, not bytes, take the time: peak / bandwidth where both are known.
RIDGE = 10.0


def _judge(evidence: KernelEvidence) -> Judgement:
    if not _is_half(evidence):
        return not_applicable("The kernel is not known to work on half-precision values.")
    counters = evidence.counters
    scalar = counters.need(Counter.FP32_FLOP) + (counters.get(Counter.FP16_FLOP) or 0.0)
    tensor, pipe = counters.get(Counter.TENSOR_FLOP), counters.get(Counter.TENSOR_PIPE_FRACTION)
    instructions = counters.get(Counter.TENSOR_INSTRUCTIONS)
    shown = seen(
        evidence,
        Counter.FP32_FLOP,
        Counter.FP16_FLOP,
        Counter.TENSOR_FLOP,
        Counter.TENSOR_PIPE_FRACTION,
        Counter.TENSOR_INSTRUCTIONS,
    )
    if tensor or instructions or (tensor is None and pipe):
        return clear("The tensor pipe does the products.", shown)
    if tensor is None and instructions is None:
        counters.need(Counter.TENSOR_INSTRUCTIONS)
    if not _is_product(evidence, scalar):
        return not_applicable("The kernel does too little arithmetic a byte for the tensor pipe to matter.")
    gain = more_of(evidence, TENSOR_OVER_FMA, GainScope.UNIT, "tensor rate over FMA rate")
    return found(
        f"{scalar:,.0f} operations on half-precision data run on the FMA pipe; the tensor pipe stands idle.",
        shown,
        gain,
    )


def _is_half(evidence: KernelEvidence) -> bool:
    if evidence.dtype is not None:
        return evidence.dtype in HALVES
    return bool(HALF_IN_SIGNATURE.search(evidence.kernel))


def _is_product(evidence: KernelEvidence, flop: float) -> bool:
    moved = evidence.counters.get(Counter.DRAM_BYTES)
    peak = evidence.counters.get(Counter.FP32_PEAK_FLOP_PER_S)
    bandwidth = evidence.counters.get(Counter.DRAM_PEAK_BYTES_PER_S)
    ridge = peak / bandwidth if peak and bandwidth else RIDGE
    if moved is None:
        return (evidence.counters.get(SM) or 0.0) > (dram_fraction(evidence) or 0.0)
    return flop > ridge * moved


RULE = Rule(
    "tensor_pipe_idle",
    "Tensor pipe idle on half-precision work",
    "Hand the tiles to mma.sync or wmma (WGMMA on Hopper), with dimensions padded to multiples of 16.",
    _judge,
    StageLink("tensor_pipe", "mma_pipe"),
)
