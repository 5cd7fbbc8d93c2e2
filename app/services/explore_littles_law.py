"""Little's law: how much must be under way to keep a bandwidth busy, in bytes, loads and warps."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from app.analysis.littles_law import WARP, bytes_in_flight, warps_needed_exact


@dataclass(frozen=True)
class MemoryDemand:
    """A memory and the loads that should keep it busy. bytes_per_thread: under way in each thread."""

    bandwidth_bytes_per_s: float
    latency_s: float
    sm_count: int
    bytes_per_thread: int


@dataclass(frozen=True)
class InFlight:
    """What the law demands; warps of one SM, exact and rounded up to whole ones."""

    demand: MemoryDemand
    bytes_in_flight: float
    bytes_per_sm: float
    warps_per_sm_exact: float

    @property
    def warps_per_sm(self) -> int:
        """Whole warps."""
        return ceil(self.warps_per_sm_exact)

    @property
    def requests_in_flight(self) -> float:
        """Loads of a whole warp under way on the device."""
        return self.bytes_in_flight / (WARP * self.demand.bytes_per_thread)


def in_flight(demand: MemoryDemand) -> InFlight:
    """Apply the law."""
    total = bytes_in_flight(demand.bandwidth_bytes_per_s, demand.latency_s)
    exact = warps_needed_exact(
        demand.bandwidth_bytes_per_s, demand.latency_s, demand.sm_count, demand.bytes_per_thread
    )
    return InFlight(demand, total, total / demand.sm_count, exact)
