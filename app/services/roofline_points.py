"""The points of a roofline: one a stage, at the intensity of its least traffic or of its own algebra."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from app.domain.vocabulary import Level
from app.services.ladder_rows import LadderRow, LadderView, rate_of


class IntensityView(StrEnum):
    """Which bytes the intensity divides by. Counted bytes join when reports can be read."""

    LEAST = "least"  # each input read once, each output written once
    NO_CACHE = "no_cache"  # every load as if no cache existed: may lie above the DRAM roof
    L2 = "l2"  # bytes that the stage asks of the L2 cache, below that level's measured roof
    SHARED = "shared"  # likewise of shared memory


LEVELS: Mapping[IntensityView, Level] = {IntensityView.L2: Level.L2, IntensityView.SHARED: Level.SHARED}


@dataclass(frozen=True)
class RooflinePoint:
    """A stage in FLOP/byte and FLOP/s."""

    row: LadderRow
    intensity: float
    flop_per_s: float
    low_flop_per_s: float | None  # from the 95 % interval
    high_flop_per_s: float | None
    warm_flop_per_s: float | None
    above_roof: bool


@dataclass(frozen=True)
class Roofline:
    """Points in ladder order; empty where nothing is measured or nothing computes.

    The ladder's bandwidth roof is that of the view's level.
    """

    ladder: LadderView
    view: IntensityView
    points: tuple[RooflinePoint, ...]

    @property
    def ridge(self) -> float | None:
        """Intensity at which the view's two measured roofs meet, in FLOP/byte."""
        compute, bandwidth = self.ladder.roofs.best_compute, self.ladder.roofs.best_bandwidth
        return compute.value / bandwidth.value if compute and bandwidth else None


def roofline(ladder: LadderView, view: IntensityView = IntensityView.LEAST) -> Roofline:
    """Place every measured stage that states its bytes at the view's level."""
    roofs = ladder.roofs
    if view in LEVELS:
        of_level = {IntensityView.L2: roofs.l2, IntensityView.SHARED: roofs.shared}[view]
        roofs = replace(roofs, bandwidth=of_level, bandwidth_datasheet=None)
    ladder = replace(ladder, roofs=roofs)
    points = (_point(row, view) for row in ladder.rows)
    return Roofline(ladder, view, tuple(point for point in points if point is not None))


def intensity_view(name: str) -> IntensityView:
    """The view of that name; least traffic for anything else."""
    return IntensityView(name) if name in tuple(IntensityView) else IntensityView.LEAST


def _point(row: LadderRow, view: IntensityView) -> RooflinePoint | None:
    shown = row.shown
    intensity = _intensity(row, view)
    if shown is None or not intensity or not shown.flop:
        return None
    return RooflinePoint(
        row=row,
        intensity=intensity,
        flop_per_s=shown.flop_per_s,
        low_flop_per_s=shown.flop / shown.ci_high_s if shown.ci_high_s else None,
        high_flop_per_s=shown.flop / shown.ci_low_s if shown.ci_low_s else None,
        warm_flop_per_s=rate_of(row.warm) if row.warm is not None and row.warm is not shown else None,
        above_roof=row.quarantined,
    )


def _intensity(row: LadderRow, view: IntensityView) -> float | None:
    shown = row.shown
    if shown is None or not shown.least_dram_bytes:
        return None
    if view in LEVELS:
        return _asked_intensity(row, view)
    least = shown.flop / shown.least_dram_bytes
    if view is IntensityView.LEAST or row.cost is None:
        return least
    return row.cost.intensity(Level.DRAM) or row.intensity or least


def _asked_intensity(row: LadderRow, view: IntensityView) -> float | None:
    """By the bytes asked of the view's level, or None where the stage states none there.

    Without caches above, DRAM is asked for what L2 is asked for without L1: one stands for the other.
    """
    if row.cost is None:
        return None
    asked = row.cost.intensity(LEVELS[view])
    return asked or (row.cost.intensity(Level.DRAM) if view is IntensityView.L2 else None)
