"""Local memory without spills: an array in the kernel whose index the compiler does not know."""

from __future__ import annotations

from app.analysis.rule import Judgement, Rule, clear, found, not_applicable, seen
from app.analysis.rules.register_spills import compiler_values, local_gain
from app.domain.finding import EvidenceValue, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence
from app.domain.measurement import CompilerReport

# Next to spills a stack frame is set up and read: some requests in a thousand that are no array.
LEAST_SHARE = 0.05


def _judge(evidence: KernelEvidence) -> Judgement:
    counters, report = evidence.counters, evidence.compiler
    shown = compiler_values(evidence) + seen(
        evidence, Counter.LOCAL_LOAD_REQUESTS, Counter.LOCAL_STORE_REQUESTS, Counter.LOCAL_SPILL_REQUESTS
    )
    if report is not None and counters.get(Counter.LOCAL_LOAD_REQUESTS) is None:
        return _by_compiler(report, shown)
    local = counters.need(Counter.LOCAL_LOAD_REQUESTS) + counters.need(Counter.LOCAL_STORE_REQUESTS)
    if local == 0:
        return clear("The kernel does not touch local memory.", shown)
    spilled = counters.get(Counter.LOCAL_SPILL_REQUESTS)
    if spilled is None and report is None:
        return not_applicable(
            "The kernel uses local memory; whether by spills or by arrays was not collected "
            "(derived__local_spilling_requests) and there is no compiler report."
        )
    of_arrays = local - spilled if spilled is not None else _without_spills(evidence, local)
    if of_arrays < LEAST_SHARE * local:
        return clear("All of its local memory is spilled registers.", shown)
    return found(
        f"{of_arrays:,.0f} requests go to local memory and are no spills: an array is indexed at run time.",
        shown,
        local_gain(evidence),
    )


def _by_compiler(report: CompilerReport, shown: tuple[EvidenceValue, ...]) -> Judgement:
    """Without counters: stack that no spill accounts for."""
    if not report.stack_bytes or report.spill_bytes:
        return clear("The compiler keeps no array on the stack.", shown)
    return found(f"{report.stack_bytes} bytes a thread lie on the stack and none of them is spilled.", shown)


def _without_spills(evidence: KernelEvidence, local: float) -> float:
    report = evidence.compiler
    return local if report is not None and report.stack_bytes and not report.spill_bytes else 0.0


RULE = Rule(
    "local_array",
    "Array in local memory",
    "Unroll the loops, so that every index is a constant and every element a register; or use shared memory.",
    _judge,
    StageLink("local_array", "unrolled"),
)
