"""What the rules on loads and on stores share: scattered accesses, judged the same way."""

from __future__ import annotations

from app.analysis.gain import DRAM, L1, L2, busiest, relief
from app.analysis.rule import Judgement, clear, found, not_applicable, seen
from app.analysis.sectors import LOADS, STORES, AccessKind, sector_use
from app.domain.kernel_evidence import KernelEvidence

MEMORY_UNITS = (L1, L2, DRAM)


def judge_scatter(evidence: KernelEvidence, kind: AccessKind) -> Judgement:
    """Sectors a request against the fewest for what is used; the excess is work of L1, L2 and DRAM alike."""
    use = sector_use(evidence, kind)
    if use is None:
        return not_applicable(f"The kernel has no global {kind.name}.")
    shown = seen(evidence, kind.per_request, kind.useful, kind.requests)
    if not use.is_known:
        return not_applicable(
            f"{use.per_request:.1f} sectors a request fit wide accesses as well as scattered ones; "
            "the bytes used of each sector were not collected."
        )
    if not use.is_scattered:
        return clear(f"{use.per_request:.1f} sectors a request are what the accesses need.", shown)
    share = _share_of(evidence, kind)
    gain = relief(evidence, busiest(evidence) * share, use.remaining, MEMORY_UNITS)
    ideal = f"{use.ideal:.1f}" if use.ideal is not None else "at most 16"
    return found(
        f"Global {kind.name} touch {use.per_request:.1f} sectors a request where {ideal} would do: "
        f"{1 - use.remaining:.0%} of what is moved for them is not used.",
        shown,
        gain,
    )


def _share_of(evidence: KernelEvidence, kind: AccessKind) -> float:
    """Of the sectors of loads and stores, those of this kind; all where the other kind is not known."""
    own = evidence.counters.get(kind.sectors)
    both = [evidence.counters.get(each.sectors) or 0.0 for each in (LOADS, STORES)]
    return own / sum(both) if own else 1.0
