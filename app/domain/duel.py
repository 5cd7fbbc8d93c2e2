"""A duel: the fastest own stage against the fastest library line, block by block in turn.

Two medians taken minutes apart differ by heat and clocks as much as by the kernels. So both fight in blocks
that alternate and whose order is mirrored (A B, B A, ...); each pair of neighbouring blocks gives one ratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, Dtype, Regime

DUEL_REGIMES = (Regime.BURST, Regime.SUSTAINED)


@dataclass(frozen=True)
class DuelRule:
    """How a duel is fought. Durations in seconds.

    Burst: each block is `burst_launches` launches back to back after `idle_s` of rest. Sustained: each block
    lasts at least `block_s`, after `heat_s` of unrecorded blocks.
    """

    pairs: int = 10
    burst_launches: int = 8
    idle_s: float = 2.0
    block_s: float = 2.0
    heat_s: float = 6.0

    def expected_s(self, regime: Regime) -> float:
        """About how long one duel takes, its launches in a burst left out."""
        if regime is Regime.BURST:
            return 2 * self.pairs * self.idle_s
        return self.heat_s + 2 * self.pairs * self.block_s


@dataclass(frozen=True)
class DuelBlock:
    """One side's launches in a row. The state is of the block's second half; None where not readable."""

    launch_s: float  # mean seconds per launch
    launches: int
    sm_clock_hz: float | None = None
    power_w: float | None = None


@dataclass(frozen=True)
class DuelPair:
    """Two neighbouring blocks, one a side."""

    own: DuelBlock
    library: DuelBlock
    own_first: bool

    @property
    def ratio(self) -> float:
        """Speed of the own stage over the library's: above 1 the own stage is faster."""
        return self.library.launch_s / self.own.launch_s


@dataclass(frozen=True)
class Duel:
    """Who fought on which cell in which regime, and every pair of blocks in order."""

    problem: str
    size: Size
    dtype: Dtype
    arithmetic: Arithmetic
    regime: Regime
    own: str  # stages by name
    library: str
    library_call: str  # version, function and algorithm
    flop: int  # of one launch
    pairs: tuple[DuelPair, ...]

    @property
    def ratio(self) -> float:
        """Median over the pairs."""
        return median(self._ratios)

    @property
    def range(self) -> tuple[float, float]:
        """Least and largest ratio."""
        return min(self._ratios), max(self._ratios)

    @property
    def quartiles(self) -> tuple[float, float] | None:
        """Between which half of the ratios lie; None for fewer than four pairs."""
        if len(self.pairs) < 4:
            return None
        low, _, high = quantiles(self._ratios, n=4, method="inclusive")
        return low, high

    @property
    def own_side(self) -> DuelSide:
        """What the own stage did over all of its blocks."""
        return _side([pair.own for pair in self.pairs], self.flop)

    @property
    def library_side(self) -> DuelSide:
        """What the library did over all of its blocks."""
        return _side([pair.library for pair in self.pairs], self.flop)

    @property
    def _ratios(self) -> list[float]:
        return [pair.ratio for pair in self.pairs]


@dataclass(frozen=True)
class DuelSide:
    """Medians over the blocks of one side."""

    launch_s: float
    flop_per_s: float
    sm_clock_hz: float | None
    power_w: float | None


@dataclass(frozen=True)
class FoughtDuel:
    """A duel, the run it comes from and the device it was fought on."""

    run_id: int
    device_name: str
    duel: Duel


def _side(blocks: Sequence[DuelBlock], flop: int) -> DuelSide:
    launch_s = median(block.launch_s for block in blocks)
    clocks = [block.sm_clock_hz for block in blocks if block.sm_clock_hz is not None]
    powers = [block.power_w for block in blocks if block.power_w is not None]
    return DuelSide(
        launch_s, flop / launch_s, median(clocks) if clocks else None, median(powers) if powers else None
    )
