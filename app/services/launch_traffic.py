"""Bytes between the levels of memory as counted, and how busy each level and link is."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.kernel_evidence import Counter, Counters, ModelValues

SECTOR_BYTES = 32
WAVEFRONT_BYTES = 128  # one bank each of four bytes for 32 lanes


@dataclass(frozen=True)
class Flow:
    """Bytes one way between two neighbouring levels. peak_fraction: of what the link can carry, 0 to 1.

    bytes_moved None: not collected. towards_memory: away from the registers.
    """

    title: str
    towards_memory: bool
    bytes_moved: float | None
    peak_fraction: float | None = None


@dataclass(frozen=True)
class MemoryLevel:
    """A level with the link to the next nearer one. facts: what stands in its box, name and 0 to 1."""

    name: str
    hit_fraction: float | None = None
    busy_fraction: float | None = None
    flows: tuple[Flow, ...] = ()  # between this level and the one before it


@dataclass(frozen=True)
class Traffic:
    """Levels from the registers outwards. least_bytes: of DRAM, by the stage's algebra."""

    levels: tuple[MemoryLevel, ...]
    busiest: str | None
    dram_bytes: float | None
    least_bytes: int | None

    @property
    def over_least(self) -> float | None:
        """Counted DRAM bytes over the least."""
        return self.dram_bytes / self.least_bytes if self.dram_bytes and self.least_bytes else None

    @property
    def is_empty(self) -> bool:
        """Whether no link was counted."""
        return not any(flow.bytes_moved is not None for level in self.levels for flow in level.flows)


def traffic_of(counters: Counters, model: ModelValues | None) -> Traffic:
    """Registers, L1 and shared memory, L2, DRAM."""
    get = counters.get
    levels = (
        MemoryLevel("SM registers", busy_fraction=get(Counter.SM_THROUGHPUT_FRACTION)),
        MemoryLevel(
            "L1 / shared",
            hit_fraction=get(Counter.L1_HIT_FRACTION),
            busy_fraction=get(Counter.L1_THROUGHPUT_FRACTION),
            flows=_near_flows(counters),
        ),
        MemoryLevel(
            "L2",
            hit_fraction=get(Counter.L2_HIT_FRACTION),
            busy_fraction=get(Counter.L2_THROUGHPUT_FRACTION),
            flows=_shared_out(
                get(Counter.L2_THROUGHPUT_FRACTION),
                Flow("reads", False, get(Counter.L2_READ_BYTES)),
                Flow("writes", True, get(Counter.L2_WRITE_BYTES)),
            ),
        ),
        MemoryLevel(
            "DRAM",
            busy_fraction=get(Counter.DRAM_THROUGHPUT_FRACTION),
            flows=_shared_out(
                get(Counter.DRAM_THROUGHPUT_FRACTION),
                Flow("reads", False, get(Counter.DRAM_READ_BYTES)),
                Flow("writes", True, get(Counter.DRAM_WRITE_BYTES)),
            ),
        ),
    )
    busy = [(level.busy_fraction, level.name) for level in levels[1:] if level.busy_fraction is not None]
    return Traffic(
        levels=levels,
        busiest=max(busy)[1] if busy else None,
        dram_bytes=get(Counter.DRAM_BYTES),
        least_bytes=model.least_dram_bytes if model else None,
    )


def _near_flows(counters: Counters) -> tuple[Flow, ...]:
    def times(counter: Counter, size_bytes: int) -> float | None:
        count = counters.get(counter)
        return None if count is None else count * size_bytes

    shared = _shared_out(
        counters.get(Counter.SHARED_THROUGHPUT_FRACTION),
        Flow("shared reads", False, times(Counter.SHARED_LOAD_WAVEFRONTS, WAVEFRONT_BYTES)),
        Flow("shared writes", True, times(Counter.SHARED_STORE_WAVEFRONTS, WAVEFRONT_BYTES)),
    )
    cached = _shared_out(
        counters.get(Counter.L1_THROUGHPUT_FRACTION),
        Flow("global loads", False, times(Counter.GLOBAL_LOAD_SECTORS, SECTOR_BYTES)),
        Flow("global stores", True, times(Counter.GLOBAL_STORE_SECTORS, SECTOR_BYTES)),
    )
    return (*shared, *cached)


def _shared_out(busy_fraction: float | None, *flows: Flow) -> tuple[Flow, ...]:
    """Divide how busy a link is among what crosses it, by bytes."""
    total = sum(flow.bytes_moved or 0.0 for flow in flows)
    return tuple(
        Flow(
            flow.title,
            flow.towards_memory,
            flow.bytes_moved,
            busy_fraction * (flow.bytes_moved or 0.0) / total
            if busy_fraction is not None and total
            else None,
        )
        for flow in flows
    )
