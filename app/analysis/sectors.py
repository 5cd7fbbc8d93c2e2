"""How the sectors of a warp's global accesses compare with the fewest that could hold what they use."""

from __future__ import annotations

from dataclasses import dataclass

from app.analysis.coalescing import SECTOR_BYTES
from app.domain.kernel_evidence import Counter, KernelEvidence

# A whole warp's 4-, 8- or 16-byte accesses to consecutive words.
WHOLE_WARP_SECTORS = (4, 8, 16)
ROUNDING = 0.02  # counters of short kernels are off by single requests


@dataclass(frozen=True)
class AccessKind:
    """The counters of global loads or of global stores."""

    name: str
    sectors: Counter
    requests: Counter
    per_request: Counter
    useful: Counter


LOADS = AccessKind(
    "loads",
    Counter.GLOBAL_LOAD_SECTORS,
    Counter.GLOBAL_LOAD_REQUESTS,
    Counter.GLOBAL_LOAD_SECTORS_PER_REQUEST,
    Counter.GLOBAL_LOAD_BYTES_PER_SECTOR,
)
STORES = AccessKind(
    "stores",
    Counter.GLOBAL_STORE_SECTORS,
    Counter.GLOBAL_STORE_REQUESTS,
    Counter.GLOBAL_STORE_SECTORS_PER_REQUEST,
    Counter.GLOBAL_STORE_BYTES_PER_SECTOR,
)


@dataclass(frozen=True)
class SectorUse:
    """Sectors a request, and the fewest that could hold the distinct bytes it uses (None: not known)."""

    per_request: float
    ideal: float | None

    @property
    def is_misaligned(self) -> bool:
        """One sector too many and no more: consecutive words that start inside a sector."""
        if self.ideal is None:
            return any(whole < self.per_request <= whole + 1 for whole in WHOLE_WARP_SECTORS)
        excess = self.per_request - self.ideal
        return self.ideal >= WHOLE_WARP_SECTORS[0] - ROUNDING and ROUNDING < excess <= 1 + ROUNDING

    @property
    def is_scattered(self) -> bool:
        """More sectors than any alignment explains.

        Up to 4 sectors a request are never scattered: few lanes, or lanes that share words, take as many as
        a row of words does. Without the bytes in use only more than 16 sectors are sure to be too many.
        """
        if self.ideal is None:
            return self.per_request > WHOLE_WARP_SECTORS[-1] + 1
        beyond_alignment = self.per_request > self.ideal + 1 + ROUNDING
        return self.per_request > WHOLE_WARP_SECTORS[0] + ROUNDING and beyond_alignment

    @property
    def is_known(self) -> bool:
        """Whether sectors alone or with the bytes in use decide."""
        return self.ideal is not None or self.is_scattered or self.per_request in WHOLE_WARP_SECTORS

    @property
    def remaining(self) -> float:
        """Of the sectors, the fraction that would remain."""
        ideal = self.ideal if self.ideal is not None else WHOLE_WARP_SECTORS[-1]
        return min(ideal / self.per_request, 1.0)


def sector_use(evidence: KernelEvidence, kind: AccessKind) -> SectorUse | None:
    """None where the kernel makes no such access. Raises NotCollectedError.

    Distinct bytes of a request are sectors a request × useful bytes a sector; 32 fit into a sector.
    """
    counters = evidence.counters
    if counters.get(kind.requests) == 0:
        return None
    per_request = counters.need(kind.per_request)
    useful = counters.get(kind.useful)
    if not per_request:
        return None
    ideal = max(per_request * useful / SECTOR_BYTES, 1.0) if useful else None
    return SectorUse(per_request, ideal)
