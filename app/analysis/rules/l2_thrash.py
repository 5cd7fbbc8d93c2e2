"""Data is fetched from DRAM again and again, because the L2 cache lost it before its next use."""

from __future__ import annotations

from app.analysis.gain import DRAM, dram_fraction, relief
from app.analysis.rule import Judgement, Rule, clear, found, not_applicable, seen
from app.domain.finding import EvidenceValue, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence

# Half of what is fetched was there before; and it must cost a twentieth of the time at least.
LEAST_FACTOR = 2.0
LEAST_GAIN = 1.05


def _judge(evidence: KernelEvidence) -> Judgement:
    if evidence.model is None:
        return not_applicable("The least traffic is not known: the kernel belongs to no stage.")
    moved = evidence.counters.need(Counter.DRAM_BYTES)
    least = evidence.model.least_dram_bytes / evidence.launches
    model = EvidenceValue("least_dram_bytes", least, "byte", evidence.model.provenance, "each tensor once")
    shown = (*seen(evidence, Counter.DRAM_BYTES, Counter.L2_HIT_FRACTION), model)
    factor = moved / least if least else 0.0
    gain = relief(evidence, dram_fraction(evidence) or 0.0, min(1 / factor, 1.0) if factor else 1.0, (DRAM,))
    if factor < LEAST_FACTOR:
        return clear(f"DRAM moves {factor:.2f} times the least that the work needs.", shown)
    if gain.speed_up < LEAST_GAIN:
        return clear(
            f"DRAM moves {factor:.1f} times the least that the work needs, but is idle enough for it.",
            shown,
        )
    return found(f"DRAM moves {factor:.1f} times the least that the work needs.", shown, gain)


RULE = Rule(
    "l2_thrash",
    "L2 cache thrashed",
    "Change the order of the blocks (tiles, swizzled raster) so that what is used again is used soon.",
    _judge,
    StageLink("cache_walk", "blocked"),
)
