"""When a published figure holds: each rule judges the value found on a device, in the quantity's SI unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.domain.vocabulary import Verdict

PRINTED_ROUNDING = 0.005  # half a unit in the third digit, as the lectures print


class Rule(Protocol):
    """Judges one value."""

    def verdict(self, value: float) -> Verdict:
        """What becomes of the claim where this value was found."""
        ...


@dataclass(frozen=True)
class WithinFraction:
    """Holds within `tolerance` (a fraction) of the claimed value."""

    claimed: float
    tolerance: float = 0.10

    def verdict(self, value: float) -> Verdict:
        """Compare the relative distance."""
        return _held(abs(value - self.claimed) <= self.tolerance * abs(self.claimed))


@dataclass(frozen=True)
class Between:
    """Holds from `low` to `high`, both included: a factor or range as printed."""

    low: float
    high: float

    def verdict(self, value: float) -> Verdict:
        """Compare with both ends."""
        return _held(self.low <= value <= self.high)


@dataclass(frozen=True)
class AtLeast:
    """Holds from `least` up."""

    least: float

    def verdict(self, value: float) -> Verdict:
        """Compare with the bound."""
        return _held(value >= self.least)


@dataclass(frozen=True)
class AtMost:
    """Holds up to `most`."""

    most: float

    def verdict(self, value: float) -> Verdict:
        """Compare with the bound."""
        return _held(value <= self.most)


@dataclass(frozen=True)
class Ordering:
    """Holds if what is said to be faster is, by more than `margin` (a fraction); the value is its factor."""

    margin: float = 0.0

    def verdict(self, value: float) -> Verdict:
        """A factor above 1 and the margin keeps the order."""
        return _held(value > 1 + self.margin)


@dataclass(frozen=True)
class Same:
    """Holds if two things cost the same within `tolerance` (a fraction); the value is their factor."""

    tolerance: float = 0.05

    def verdict(self, value: float) -> Verdict:
        """A factor of 1 within the tolerance."""
        return _held(abs(value - 1) <= self.tolerance)


@dataclass(frozen=True)
class Computed:
    """A figure that follows from arithmetic: holds if computing gives it, else impossible as printed."""

    claimed: float
    tolerance: float = PRINTED_ROUNDING

    def verdict(self, value: float) -> Verdict:
        """Compare within the rounding of print."""
        close = abs(value - self.claimed) <= self.tolerance * abs(self.claimed)
        return Verdict.HOLDS if close else Verdict.IMPOSSIBLE


@dataclass(frozen=True)
class ComputedRange:
    """A range that follows from arithmetic: impossible as printed where computing gives a value outside."""

    low: float
    high: float

    def verdict(self, value: float) -> Verdict:
        """Compare with both ends."""
        return Verdict.HOLDS if self.low <= value <= self.high else Verdict.IMPOSSIBLE


@dataclass(frozen=True)
class BelowLimit:
    """A claimed rate may not exceed a physical limit: the value found is that limit."""

    claimed: float

    def verdict(self, value: float) -> Verdict:
        """Possible up to the limit; that it is reached is for a measurement to show."""
        return Verdict.HOLDS if self.claimed <= value else Verdict.IMPOSSIBLE


def _held(holds: bool) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.DOES_NOT_HOLD
