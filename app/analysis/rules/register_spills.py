"""The compiler keeps values in local memory for want of registers."""

from __future__ import annotations

from app.analysis.gain import DRAM, L1, L2, relief, stall_share
from app.analysis.rule import Judgement, Rule, clear, found, not_applicable, seen
from app.domain.errors import NotCollectedError
from app.domain.finding import EvidenceValue, ExpectedGain, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence
from app.domain.vocabulary import Provenance


def local_gain(evidence: KernelEvidence) -> ExpectedGain:
    """Gain without local accesses: their share of all accesses, of the busier of L1 and of waiting for it."""
    counters = evidence.counters
    local = _sum(evidence, Counter.LOCAL_LOAD_REQUESTS, Counter.LOCAL_STORE_REQUESTS)
    others = _sum(evidence, Counter.GLOBAL_LOAD_REQUESTS, Counter.GLOBAL_STORE_REQUESTS)
    share = local / (local + others) if local + others else 0.0
    try:
        waiting = stall_share(evidence, Counter.STALL_LONG_SCOREBOARD)
    except NotCollectedError:
        waiting = 0.0
    return relief(evidence, max(counters.get(L1) or 0.0, waiting), 1 - share, (L1, L2, DRAM))


def compiler_values(evidence: KernelEvidence) -> tuple[EvidenceValue, ...]:
    """Spilled bytes and stack a thread as the compiler reports them; empty without its report."""
    report = evidence.compiler
    if report is None:
        return ()
    return (
        EvidenceValue("spilled_bytes", report.spill_bytes, "byte", Provenance.COMPILER, report.compiler),
        EvidenceValue("stack_bytes", report.stack_bytes, "byte", Provenance.COMPILER, report.compiler),
    )


def _judge(evidence: KernelEvidence) -> Judgement:
    spilled_bytes = evidence.compiler.spill_bytes if evidence.compiler else None
    requests = evidence.counters.get(Counter.LOCAL_SPILL_REQUESTS)
    shown = compiler_values(evidence) + seen(
        evidence, Counter.LOCAL_SPILL_REQUESTS, Counter.LOCAL_BYTES, Counter.REGISTERS_PER_THREAD
    )
    if spilled_bytes is None and requests is None:
        if _sum(evidence, Counter.LOCAL_LOAD_REQUESTS, Counter.LOCAL_STORE_REQUESTS) == 0:
            evidence.counters.need(Counter.LOCAL_LOAD_REQUESTS)
            return clear("The kernel does not touch local memory, so nothing is spilled.", shown)
        return not_applicable(
            "The kernel uses local memory; whether by spills or by arrays was not collected "
            "(derived__local_spilling_requests) and there is no compiler report."
        )
    if not spilled_bytes and not requests:
        return clear("No register is spilled.", shown)
    of_bytes = f"{spilled_bytes} bytes a thread are spilled" if spilled_bytes else "Registers are spilled"
    of_requests = f", {requests:,.0f} requests to local memory are spills" if requests else ""
    return found(f"{of_bytes}{of_requests}.", shown, local_gain(evidence))


def _sum(evidence: KernelEvidence, *counters: Counter) -> float:
    return sum(evidence.counters.get(counter) or 0.0 for counter in counters)


RULE = Rule(
    "register_spills",
    "Registers spilled to local memory",
    "Lift the cap on registers (__launch_bounds__, --maxrregcount) or keep fewer values alive at once.",
    _judge,
    StageLink("register_cap", "free"),
)
