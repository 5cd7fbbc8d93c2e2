"""The drawn part of the roofline’s plane and its axes: which decades, how many pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from app.services.ladder_rows import LadderView
from app.services.roofline_points import IntensityView, Roofline
from app.web import formatting
from app.web.charts.chart import ChartRequest, axis
from app.web.formatting import Scale

HEIGHT_PX = 430
NARROW_HEIGHT_PX = 340
MARGIN = {"l": 50, "r": 10, "t": 10, "b": 46}
LABEL_ROOM_PX = 150
_TICKS = (1, 3)
_ASKED = {
    IntensityView.NO_CACHE: "FLOP per byte asked for, as if no cache existed",
    IntensityView.L2: "FLOP per byte asked of the L2 cache",
    IntensityView.SHARED: "FLOP per byte asked of shared memory",
}


def height_px(narrow: bool = False) -> int:
    """Height of the drawing, reserved by the page before it is drawn."""
    return NARROW_HEIGHT_PX if narrow else HEIGHT_PX


@dataclass(frozen=True)
class RooflineFrame:
    """The drawn part of the plane, in log10 of FLOP/byte and of the unit of the y axis, and its pixels."""

    request: ChartRequest
    ladder: LadderView
    scale: Scale
    x0: float
    x1: float
    y0: float
    y1: float
    width_px: float
    height_px: float

    def x_px(self, intensity: float) -> float:
        """Pixels from the left."""
        return (math.log10(intensity) - self.x0) / (self.x1 - self.x0) * self.width_px

    def y_px(self, flop_per_s: float) -> float:
        """Pixels from the bottom."""
        return (math.log10(flop_per_s / self.scale.factor) - self.y0) / (self.y1 - self.y0) * self.height_px

    def x_at(self, px: float) -> float:
        """log10 of the intensity at a pixel."""
        return self.x0 + px / self.width_px * (self.x1 - self.x0)

    def y_at(self, px: float) -> float:
        """log10 of the rate at a pixel."""
        return self.y0 + px / self.height_px * (self.y1 - self.y0)

    @property
    def slope_degrees(self) -> float:
        """Drawn angle of a line of constant bytes/s."""
        rise = self.height_px / (self.y1 - self.y0)
        run = self.width_px / (self.x1 - self.x0)
        return -math.degrees(math.atan2(rise, run))


def frame_of(request: ChartRequest, view: Roofline) -> RooflineFrame:
    """Choose the decades: room for the slope at the left, for the labels at the right."""
    roofs = view.ladder.roofs
    rates = [p.flop_per_s for p in view.points] or [1e9]
    tops = [c.value for c in roofs.every_compute]
    warm = [p.warm_flop_per_s for p in view.points if p.warm_flop_per_s] if request.with_warm else []
    scale = formatting.rate_scale([*rates, *tops])
    width = max(request.width_px - MARGIN["l"] - MARGIN["r"], 120)
    height = height_px(request.narrow) - MARGIN["t"] - MARGIN["b"]
    intensities = [p.intensity for p in view.points] or [1.0]
    x0 = math.log10(min([*intensities, view.ridge or 1.0]) / 30)
    column = math.log10(max([*intensities, (view.ridge or 1.0) * 3]))
    room = min(LABEL_ROOM_PX, width * 0.12) if request.narrow else LABEL_ROOM_PX
    x1 = column + (column - x0) * room / (width - room)
    y0 = math.log10(min(rates) / scale.factor / 1.8)
    y1 = math.log10(max([*rates, *tops, *warm]) / scale.factor * 2.0)
    return RooflineFrame(request, view.ladder, scale, x0, x1, y0, y1, width, height)


def x_axis(frame: RooflineFrame, view: Roofline) -> dict[str, Any]:
    """FLOP per byte."""
    least = "FLOP per DRAM byte, least traffic"
    if not frame.request.narrow:
        least = f"Arithmetic intensity, {least}"
    return _log_axis(frame, (frame.x0, frame.x1), _ASKED.get(view.view, least), steps=(1,))


def y_axis(frame: RooflineFrame) -> dict[str, Any]:
    """FLOP/s."""
    return _log_axis(frame, (frame.y0, frame.y1), frame.scale.unit, steps=_TICKS)


def _log_axis(
    frame: RooflineFrame, ends: tuple[float, float], title: str, steps: tuple[int, ...]
) -> dict[str, Any]:
    palette = frame.request.palette
    ticks = _ticks(*ends) if steps == _TICKS else _decades(*ends)
    return axis(
        palette,
        type="log",
        range=list(ends),
        **ticks,
        minor={"ticks": "outside", "ticklen": 3, "tickcolor": palette.axis, "dtick": "D1", "showgrid": False},
        title={"text": title, "standoff": 8, "font": {"size": 12, "color": palette.ink_2}},
    )


def _ticks(low: float, high: float) -> dict[str, list[Any]]:
    """1, 3, 10, 30 … where few decades are drawn, else each decade."""
    steps = _TICKS if high - low < 4.2 else (1,)
    values = [
        m * 10.0**decade
        for decade in range(math.floor(low), math.ceil(high) + 1)
        for m in steps
        if low <= math.log10(m * 10.0**decade) <= high
    ]
    return {"tickvals": values, "ticktext": [_tick_text(value) for value in values]}


def _decades(low: float, high: float) -> dict[str, list[Any]]:
    values = [10.0**d for d in range(math.ceil(low), math.floor(high) + 1)]
    return {"tickvals": values, "ticktext": [_tick_text(value) for value in values]}


def _tick_text(value: float) -> str:
    if value >= 1e4:
        return f"{value / 1e3:g}k" if value < 1e6 else f"{value / 1e6:g}M"
    return f"{value:g}"
