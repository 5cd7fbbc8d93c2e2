"""What a kernel is bound by, from counters and roofs, in a few words that can be held against a claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.analysis.gain import L1, L2, LEAST_BUSY, NO_STALLS, dram_fraction, stall_share
from app.domain.kernel_evidence import STALLS, Counter, KernelEvidence

# From eight tenths of a unit's peak on that unit is what binds; below, warps wait for each other or for data.
BINDING = 0.8
# L2 counts what it hands on from and to DRAM as its own work: where it is little busier, DRAM binds.
STREAMING = 0.8


class Resource(StrEnum):
    """What can be used up, in the words of the page."""

    DRAM = "DRAM bandwidth"
    L2 = "L2 cache"
    SHARED = "shared memory"
    L1 = "L1 cache and its queues"
    ISSUE = "issue slots"
    FMA = "FMA pipe"
    TENSOR = "Tensor pipe"
    FEW_BLOCKS = "too few blocks"
    LATENCY = "latency"


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """What binds, the fraction of time or peak it stands for (0 to 1); for latency what is waited for."""

    resource: Resource
    fraction: float
    stall: Counter | None = None


_COUNTED = {
    Resource.L2: L2,
    Resource.L1: L1,
    Resource.SHARED: Counter.SHARED_THROUGHPUT_FRACTION,
    Resource.ISSUE: Counter.ISSUE_ACTIVE_FRACTION,
    Resource.FMA: Counter.FMA_PIPE_FRACTION,
    Resource.TENSOR: Counter.TENSOR_PIPE_FRACTION,
}
# What the lectures' words for a bottleneck can mean; the first that is found in a claim decides.
_CLAIMED: tuple[tuple[str, frozenset[Resource]], ...] = (
    ("shared", frozenset({Resource.SHARED, Resource.L1})),
    ("dram", frozenset({Resource.DRAM})),
    ("hbm", frozenset({Resource.DRAM})),
    ("traffic", frozenset({Resource.DRAM, Resource.L2, Resource.L1})),
    ("latency", frozenset({Resource.LATENCY, Resource.ISSUE})),
    ("scheduling", frozenset({Resource.LATENCY, Resource.ISSUE})),
    ("fp32", frozenset({Resource.FMA, Resource.ISSUE})),
    ("silicon", frozenset({Resource.TENSOR})),
)


def busy_fractions(evidence: KernelEvidence) -> Mapping[Resource, float]:
    """How busy each counted unit was, 0 to 1; shared memory is told from the rest of L1."""
    fractions = {resource: evidence.counters.get(counter) for resource, counter in _COUNTED.items()}
    fractions[Resource.DRAM] = dram_fraction(evidence)
    known = {resource: fraction for resource, fraction in fractions.items() if fraction is not None}
    shared, l1 = known.pop(Resource.SHARED, None), known.get(Resource.L1)
    if shared is not None and l1 is not None and shared > l1 / 2:
        known[Resource.SHARED] = known.pop(Resource.L1)
    dram, l2 = known.get(Resource.DRAM), known.get(Resource.L2)
    if dram is not None and l2 is not None and dram > l2 * STREAMING:
        known[Resource.DRAM] = max(known.pop(Resource.L2), dram)
    return known


def bottleneck(evidence: KernelEvidence) -> Bottleneck | None:
    """The busiest unit from `BINDING` on; else too few blocks; else what warps wait for."""
    busy = busy_fractions(evidence)
    if busy:
        busiest = max(busy, key=lambda resource: busy[resource])
        if busy[busiest] >= BINDING:
            return Bottleneck(busiest, busy[busiest])
    multiprocessors = evidence.counters.get(Counter.MULTIPROCESSORS)
    if evidence.blocks is not None and multiprocessors and evidence.blocks < multiprocessors:
        return Bottleneck(Resource.FEW_BLOCKS, evidence.blocks / multiprocessors)
    waits = [stall for stall in STALLS if stall not in NO_STALLS and stall in evidence.counters.values]
    if not waits:
        return None
    longest = max(waits, key=evidence.counters.need)
    return Bottleneck(Resource.LATENCY, waiting_share(evidence), longest)


def waiting_share(evidence: KernelEvidence) -> float:
    """Fraction of a warp's time in any stall; 0 where none was counted. Raises NotCollectedError."""
    waits = [stall for stall in STALLS if stall not in NO_STALLS and stall in evidence.counters.values]
    return sum(stall_share(evidence, stall) for stall in waits)


def resource_time_s(evidence: KernelEvidence, resource: Resource) -> float | None:
    """Time for which a resource is in use: its busy fraction of the duration; for latency the time waited.

    None where it was not counted. Raises NotCollectedError without a duration.
    """
    duration = evidence.counters.need(Counter.DURATION_S)
    if resource is Resource.LATENCY:
        return max(waiting_share(evidence), LEAST_BUSY) * duration
    if resource is Resource.FEW_BLOCKS:
        return duration
    busy = busy_fractions(evidence)
    same_unit = {Resource.SHARED: Resource.L1, Resource.L1: Resource.SHARED, Resource.L2: Resource.DRAM}
    fraction = busy.get(resource, busy.get(same_unit.get(resource, resource)))
    return None if fraction is None else max(fraction, LEAST_BUSY) * duration


def agrees(claimed: str, computed: Bottleneck) -> bool | None:
    """Whether a claimed bottleneck means what was computed; None for words that name no resource."""
    words = claimed.casefold()
    meant = next((resources for word, resources in _CLAIMED if word in words), None)
    return None if meant is None else computed.resource in meant
