"""Roofline what-if: what two roofs allow at an intensity, and what a faster one of them would bring."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from app.analysis.roofline import attainable_flop_per_s, ridge_point_flop_per_byte


class Bound(StrEnum):
    """Which roof is the lower one; at the balance point it is arithmetic."""

    MEMORY = "memory"
    COMPUTE = "compute"


@dataclass(frozen=True)
class Roofs:
    """Both roofs of a device and the intensity of a kernel at that memory."""

    peak_flop_per_s: float
    bandwidth_bytes_per_s: float
    intensity_flop_per_byte: float

    @property
    def balance_flop_per_byte(self) -> float:
        """Where the roofs meet."""
        return ridge_point_flop_per_byte(self.bandwidth_bytes_per_s, self.peak_flop_per_s)

    @property
    def attainable_flop_per_s(self) -> float:
        """The lower roof."""
        return attainable_flop_per_s(
            self.intensity_flop_per_byte, self.bandwidth_bytes_per_s, self.peak_flop_per_s
        )

    @property
    def bound(self) -> Bound:
        """Which one that is."""
        return Bound.MEMORY if self.intensity_flop_per_byte < self.balance_flop_per_byte else Bound.COMPUTE


@dataclass(frozen=True)
class WhatIf:
    """One change and what it brings: attainable rate after over before."""

    change: str
    roofs: Roofs
    speed_up: float


@dataclass(frozen=True)
class RooflineAnswer:
    """What the roofs allow, and each of three changes by `factor`."""

    roofs: Roofs
    factor: float
    what_if: tuple[WhatIf, ...]

    @property
    def peak_fraction(self) -> float:
        """Attainable over peak."""
        return self.roofs.attainable_flop_per_s / self.roofs.peak_flop_per_s

    @property
    def intensity_factor_to_balance(self) -> float:
        """How much less traffic would reach the compute roof; 1 where it is reached."""
        return max(1.0, self.roofs.balance_flop_per_byte / self.roofs.intensity_flop_per_byte)


def roofline_answer(roofs: Roofs, factor: float) -> RooflineAnswer:
    """What the roofs allow, and what a change by `factor` of bandwidth, peak or intensity would bring."""
    changed = {
        "bandwidth": replace(roofs, bandwidth_bytes_per_s=roofs.bandwidth_bytes_per_s * factor),
        "peak": replace(roofs, peak_flop_per_s=roofs.peak_flop_per_s * factor),
        "intensity": replace(roofs, intensity_flop_per_byte=roofs.intensity_flop_per_byte * factor),
    }
    return RooflineAnswer(
        roofs,
        factor,
        tuple(
            WhatIf(change, after, after.attainable_flop_per_s / roofs.attainable_flop_per_s)
            for change, after in changed.items()
        ),
    )
