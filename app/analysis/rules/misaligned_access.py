"""Consecutive words that start inside a sector: each request touches one sector more."""

from __future__ import annotations

from app.analysis.coalescing_rules import MEMORY_UNITS
from app.analysis.gain import busiest, relief
from app.analysis.rule import Judgement, Rule, clear, found, not_applicable, seen
from app.analysis.sectors import LOADS, STORES, AccessKind, SectorUse, sector_use
from app.domain.errors import NotCollectedError
from app.domain.finding import StageLink
from app.domain.kernel_evidence import KernelEvidence


def _judge(evidence: KernelEvidence) -> Judgement:
    uses = {kind: use for kind in (LOADS, STORES) if (use := _known(evidence, kind)) is not None}
    if not uses:
        return not_applicable("The kernel has no global accesses whose sectors were counted.")
    shown = tuple(value for kind in uses for value in seen(evidence, kind.per_request, kind.useful))
    off = {kind: use for kind, use in uses.items() if use.is_misaligned}
    if not off:
        return clear("No request touches just one sector more than its bytes need.", shown)
    kind, use = max(off.items(), key=lambda pair: pair[1].per_request / (pair[1].ideal or 1))
    gain = relief(evidence, busiest(evidence), use.remaining, MEMORY_UNITS)
    return found(
        f"Global {kind.name} touch {use.per_request:.2f} sectors a request, one more than the bytes need: "
        "the words start inside a sector.",
        shown,
        gain,
    )


def _known(evidence: KernelEvidence, kind: AccessKind) -> SectorUse | None:
    """Loads alone decide where stores were not counted, and the other way round."""
    try:
        return sector_use(evidence, kind)
    except NotCollectedError:
        return None


RULE = Rule(
    "misaligned_access",
    "Misaligned global accesses",
    "Start rows and slices on a multiple of 32 bytes (better 128): pad the row, or copy the odd head apart.",
    _judge,
    StageLink("alignment", "aligned"),
)
