"""The memory hierarchy of a device beside the lectures' table of an A100, and what must be in flight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.analysis.littles_law import bytes_in_flight, warps_needed
from app.claims import a100
from app.claims.catalogue import claims
from app.claims.memory_levels import LEVELS, MemoryLevel
from app.claims.published import Found, Look, Missing, judge
from app.domain.evidence import DeviceEvidence
from app.domain.vocabulary import ProblemKind, Verdict
from app.services.lab_view import LabView, lab_view
from app.storage.store import Store

NOTHING = Missing(
    "Nothing was measured on any device yet.", "Run the lab: roofladder run --suite memory_lab."
)
FLOAT_BYTES, FLOAT4_BYTES = 4, 16


@dataclass(frozen=True)
class LevelRow:
    """A level on the device: each figure, or why there is none; verdicts of its claims by id."""

    level: MemoryLevel
    capacity: Found | Missing
    kept: Found | Missing
    latency_s: Found | Missing
    latency_cycles: Found | Missing
    bandwidth: Found | Missing
    verdicts: Mapping[str, Verdict]

    @property
    def in_flight_bytes(self) -> float | None:
        """Bytes under way at any time that keep the level busy: bandwidth × latency (Little's law)."""
        if isinstance(self.bandwidth, Missing) or isinstance(self.latency_s, Missing):
            return None
        return bytes_in_flight(self.bandwidth.value, self.latency_s.value)


@dataclass(frozen=True)
class DramDemand:
    """What keeps DRAM busy. warps_*: of an SM, when each lane has one such load under way."""

    device: str
    in_flight_bytes: float
    multiprocessor_count: int
    warps_by_float: int
    warps_by_float4: int

    @property
    def bytes_per_multiprocessor(self) -> float:
        """The share of one SM."""
        return self.in_flight_bytes / self.multiprocessor_count


@dataclass(frozen=True)
class HierarchyView(LabView):
    """The charts of the hierarchy, the table of levels, and the demand of DRAM here and on the A100."""

    rows: tuple[LevelRow, ...]
    demand: DramDemand | None
    printed_demand: DramDemand


def hierarchy_view(store: Store, device_uuid: str | None) -> HierarchyView:
    """Levels from the registers outwards. Raises what `choose_device` raises."""
    lab = lab_view(store, (ProblemKind.HIERARCHY,), device_uuid)
    evidence = lab.choice.evidence
    rows = tuple(_row(level, evidence) for level in LEVELS)
    printed = _demand("A100", a100.DRAM_BYTES_PER_S, a100.DRAM_LATENCY_S, a100.MULTIPROCESSORS)
    return HierarchyView(lab.choice, lab.views, rows, _demand_here(rows[-1], evidence), printed)


def _row(level: MemoryLevel, evidence: DeviceEvidence | None) -> LevelRow:
    def find(look: Look) -> Found | Missing:
        return look(evidence) if evidence else NOTHING

    looks = level.looks
    return LevelRow(
        level,
        find(looks.capacity),
        find(looks.kept),
        find(looks.latency_s),
        find(looks.latency_cycles),
        find(looks.bandwidth),
        _verdicts(level, evidence) if evidence else {},
    )


def _verdicts(level: MemoryLevel, evidence: DeviceEvidence) -> dict[str, Verdict]:
    return {claim.id: judge(claim, evidence).verdict for claim in claims() if claim.id in level.claims.ids}


def _demand_here(dram: LevelRow, evidence: DeviceEvidence | None) -> DramDemand | None:
    if evidence is None or isinstance(dram.bandwidth, Missing) or isinstance(dram.latency_s, Missing):
        return None
    count = evidence.device.multiprocessor_count
    if count is None:
        return None
    return _demand(evidence.device.name, dram.bandwidth.value, dram.latency_s.value, count)


def _demand(device: str, bandwidth: float, latency_s: float, multiprocessor_count: int) -> DramDemand:
    return DramDemand(
        device,
        bytes_in_flight(bandwidth, latency_s),
        multiprocessor_count,
        warps_needed(bandwidth, latency_s, multiprocessor_count, FLOAT_BYTES),
        warps_needed(bandwidth, latency_s, multiprocessor_count, FLOAT4_BYTES),
    )
