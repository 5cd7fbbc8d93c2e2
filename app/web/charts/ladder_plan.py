"""Where things go in the stage ladder: scale, margins, and the pixel of a value."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.services.ladder_rows import LadderView
from app.web import formatting
from app.web.charts.chart import (
    ChartRequest,
)
from app.web.formatting import Scale
from app.web.naming import stage_label

RIGHT_PX = 12
SHORTEST_WHISKER_PX = 3
HALF_BAR = 0.21  # of the pitch


@dataclass(frozen=True)
class LadderPlan:
    """Where things go. Values on the axis are `x(value)`: the unit's number, or its logarithm."""

    request: ChartRequest
    ladder: LadderView
    scale: Scale
    largest: float
    left_px: int
    log_from: float | None  # smallest value of a logarithmic axis

    @property
    def top(self) -> float:
        """Upper end of the lines, in rungs above the first."""
        return -0.62

    @property
    def bottom(self) -> float:
        """Lower end of the lines, in rungs."""
        return len(self.ladder.rows) - 0.5

    @property
    def plot_px(self) -> float:
        """Width of the plot without its margins."""
        return max(self.request.width_px - self.left_px - RIGHT_PX, 60)

    def x(self, value: float) -> float:
        """Place of a value, for shapes on a linear axis and annotations on both."""
        number = value / self.scale.factor
        return math.log10(max(number, self.log_from)) if self.log_from else number

    def drawn(self, value: float) -> float:
        """Place of a value for traces and shapes, which take plain numbers on a logarithmic axis."""
        number = value / self.scale.factor
        return max(number, self.log_from) if self.log_from else number

    def px(self, value: float) -> float:
        """Pixels from the left end of the plot."""
        low, high = self.range
        return (self.x(value) - low) / (high - low) * self.plot_px

    @property
    def range(self) -> tuple[float, float]:
        """Both ends of the x axis, in the unit's numbers or their logarithms."""
        high = self.largest / self.scale.factor
        if self.log_from:
            return math.log10(self.log_from), math.log10(high * 1.5)
        return 0.0, high * 1.04


def plan_of(request: ChartRequest, ladder: LadderView) -> LadderPlan:
    """Choose unit, reach and margins for a ladder."""
    rates = [row.rate for row in ladder.measured if row.rate]
    roofs = roof_values(ladder)
    scale = formatting.rate_scale(rates or [1.0], "FLOP/s" if ladder.counts_flop else "B/s")
    names = [len(stage_label(row.stage, ladder.dtype, 24)) + 3 for row in ladder.rows]
    left = 12 if request.narrow else min(max(round(max(names, default=8) * 6.9) + 14, 84), 190)
    smallest = min(rates, default=1.0) / scale.factor
    log_from = 10 ** math.floor(math.log10(smallest) - 0.15) if request.log_axis and rates else None
    return LadderPlan(request, ladder, scale, max([*rates, *roofs, scale.factor * 1e-3]), left, log_from)


def roof_values(ladder: LadderView) -> list[float]:
    """The roofs that bound the ladder, in FLOP/s or bytes/s."""
    if not ladder.counts_flop:
        bandwidths = (ladder.roofs.bandwidth, ladder.roofs.bandwidth_datasheet)
        return [c.value for c in bandwidths if c]
    return [c.value for c in (ladder.roofs.compute, ladder.roofs.compute_datasheet) if c]
