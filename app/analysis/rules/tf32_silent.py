"""FP32 work whose products run in TF32, with 10 bits of mantissa."""

from __future__ import annotations

from app.analysis.rule import Judgement, Rule, clear, found, not_applicable, seen
from app.domain.finding import Severity, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence
from app.domain.vocabulary import Arithmetic

TF32 = (Arithmetic.TF32, Arithmetic.TENSOR_TF32_FP32ACC)


def _judge(evidence: KernelEvidence) -> Judgement:
    if evidence.arithmetic in TF32:
        return not_applicable("The stage says that it computes in TF32.")
    operations = evidence.counters.need(Counter.TENSOR_TF32_FLOP)
    shown = seen(evidence, Counter.TENSOR_TF32_FLOP, Counter.FP32_FLOP)
    if not operations:
        return clear("No product runs in TF32.", shown)
    declared = evidence.arithmetic is Arithmetic.FP32
    return found(
        f"{operations:,.0f} operations run in TF32: inputs are rounded to 10 bits of mantissa"
        + (", though FP32 is declared." if declared else "."),
        shown,
        severity=Severity.HIGH if declared else Severity.INFORMATION,
    )


RULE = Rule(
    "tf32_silent",
    "TF32 in place of FP32",
    "Switch TF32 off where FP32 is meant (CUBLAS_DEFAULT_MATH, allow_tf32 = False), or declare it.",
    _judge,
    StageLink("matmul", "cublas"),
)
