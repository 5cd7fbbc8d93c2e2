"""Split-K: few tiles fill a device when each sum is cut into slices, at the price of adding them up.

Model: a block works through its steps at a fixed rate; blocks run in whole waves; with more than one slice
each writes its partial results to memory and they are read once to be added. Source: L24 §0.3; NVIDIA,
"CUTLASS: efficient GEMM", parallelised reductions. Caches, launch and synchronisation are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.analysis.quantisation import tiles_of, waves

PARTIAL_PASSES = 2  # written by the slices, read by who adds them


@dataclass(frozen=True)
class SplitTime:
    """Modelled time of one number of slices: waves of products, then the pass over the partial results."""

    slices: int
    waves: int
    products_s: float
    adding_s: float

    @property
    def total_s(self) -> float:
        """Both, one after the other."""
        return self.products_s + self.adding_s


@dataclass(frozen=True)
class SplitWork:
    """Tiles, places for blocks, steps of each sum, what a step costs a block; bytes of all results."""

    tiles: int
    at_once: int
    steps: int
    step_s: float
    result_bytes: int
    bandwidth_bytes_per_s: float


def split_time(work: SplitWork, slices: int) -> SplitTime:
    """Time with so many slices; slices that would be empty are not launched."""
    steps_each = tiles_of(work.steps, slices)
    real = tiles_of(work.steps, steps_each)
    rounds = waves(work.tiles * real, work.at_once)
    passes = PARTIAL_PASSES * real if real > 1 else 0
    adding = passes * work.result_bytes / work.bandwidth_bytes_per_s
    return SplitTime(real, rounds, rounds * steps_each * work.step_s, adding)


def split_times(work: SplitWork, most_slices: int) -> tuple[SplitTime, ...]:
    """Times from one slice up; each number of slices that can really occur once."""
    found = {one.slices: one for one in (split_time(work, n) for n in range(1, most_slices + 1))}
    return tuple(found[slices] for slices in sorted(found))


def fastest(times: Sequence[SplitTime]) -> SplitTime:
    """The least total, of equals the fewest slices."""
    return min(times, key=lambda one: (one.total_s, one.slices))
