"""So many registers a thread that few blocks fit an SM."""

from __future__ import annotations

from app.analysis.gain import more_of
from app.analysis.rule import Judgement, Rule, clear, found, not_applicable, seen
from app.analysis.rules.low_occupancy import LIMITERS, limiters
from app.domain.finding import GainScope, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence

# L24's checklist: 128 a thread are what leaves two blocks of 256 threads on an SM.
MANY = 128


def _judge(evidence: KernelEvidence) -> Judgement:
    report = evidence.compiler
    registers = evidence.counters.get(Counter.REGISTERS_PER_THREAD) or (report.registers if report else None)
    if registers is None:
        registers = evidence.counters.need(Counter.REGISTERS_PER_THREAD)
    shown = seen(evidence, Counter.REGISTERS_PER_THREAD, Counter.THEORETICAL_OCCUPANCY_FRACTION, *LIMITERS)
    if registers <= MANY:
        return clear(f"{registers:.0f} registers a thread.", shown)
    limited = limiters(evidence)
    if not limited:
        return not_applicable("What limits the blocks of an SM was not collected.")
    if LIMITERS[Counter.BLOCKS_BY_REGISTERS] not in limited:
        return clear(
            f"{registers:.0f} registers a thread, but {' and '.join(limited)} limit the blocks.", shown
        )
    gain = more_of(evidence, registers / MANY, GainScope.UNIT, f"registers over {MANY}")
    return found(f"{registers:.0f} registers a thread limit the blocks of an SM.", shown, gain)


RULE = Rule(
    "register_pressure",
    "Register pressure",
    "Make the tile of a thread smaller or load operands later; a cap on registers turns them into spills.",
    _judge,
    StageLink("matmul", "register_tile"),
)
