"""Roofline: log-log, measured roofs solid, stated ones dotted; each point is a permalink to its stage."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from app.services.charted_run import charted_run
from app.services.ladder_rows import LadderView
from app.services.roofline_points import IntensityView, Roofline, RooflinePoint, intensity_view, roofline
from app.storage.store import Store
from app.web import formatting, view_state
from app.web.charts.chart import Chart, ChartRequest, Figure, axis, base_layout, escaped, line, note
from app.web.charts.hover import caption, file_name, hover_text
from app.web.charts.label_placing import Placed, place_chips, place_labels
from app.web.formatting import Scale

HEIGHT_PX = 430
NARROW_HEIGHT_PX = 340
MARGIN = {"l": 50, "r": 10, "t": 10, "b": 46}
CHIP_PX = 17
LABEL_ROOM_PX = 150
_TICKS = (1, 3)


@dataclass(frozen=True)
class _Frame:
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
        return (math.log10(intensity) - self.x0) / (self.x1 - self.x0) * self.width_px

    def y_px(self, flop_per_s: float) -> float:
        return (math.log10(flop_per_s / self.scale.factor) - self.y0) / (self.y1 - self.y0) * self.height_px

    def x_at(self, px: float) -> float:
        return self.x0 + px / self.width_px * (self.x1 - self.x0)

    def y_at(self, px: float) -> float:
        return self.y0 + px / self.height_px * (self.y1 - self.y0)

    @property
    def slope_degrees(self) -> float:
        """Drawn angle of a line of constant bytes/s."""
        rise = self.height_px / (self.y1 - self.y0)
        run = self.width_px / (self.x1 - self.x0)
        return -math.degrees(math.atan2(rise, run))


def height_px(narrow: bool = False) -> int:
    """Height of the drawing, reserved by the page before it is drawn."""
    return NARROW_HEIGHT_PX if narrow else HEIGHT_PX


def build(store: Store, request: ChartRequest) -> Figure:
    """Roofs, points with chips, labels right of their column, the warm pair joined by a thin line."""
    run, ladder = charted_run(store, request.run_id, request.choice)
    view = roofline(ladder, intensity_view(request.view))
    frame = _frame(request, view)
    chips = place_chips([(frame.x_px(p.intensity), frame.y_px(p.flop_per_s)) for p in view.points], CHIP_PX)
    layout = {
        **base_layout(request.palette, height_px(request.narrow), MARGIN),
        "xaxis": _x_axis(frame, view),
        "yaxis": _y_axis(frame),
        "shapes": [*_roof_lines(frame), *_leaders(frame, view, chips), *_warm_lines(frame, view)],
        "annotations": [*_roof_labels(frame), *_point_labels(frame, view, chips)],
    }
    points = _points(frame, view, chips)
    data = [points, *_warm_points(frame, view)]
    walk = tuple((0, index) for index in range(len(view.points)))
    return Figure(data, layout, walk, file_name(run, "roofline", ladder), caption(run, ladder))


CHART = Chart("roofline", build)


def _frame(request: ChartRequest, view: Roofline) -> _Frame:
    roofs = view.ladder.roofs
    rates = [p.flop_per_s for p in view.points] or [1e9]
    tops = [c.value for c in (roofs.compute, roofs.compute_datasheet) if c]
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
    return _Frame(request, view.ladder, scale, x0, x1, y0, y1, width, height)


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


def _tick_text(value: float) -> str:
    if value >= 1e4:
        return f"{value / 1e3:g}k" if value < 1e6 else f"{value / 1e6:g}M"
    return f"{value:g}"


def _x_axis(frame: _Frame, view: Roofline) -> dict[str, Any]:
    least = "FLOP per DRAM byte, least traffic"
    if not frame.request.narrow:
        least = f"Arithmetic intensity, {least}"
    title = least if view.view is IntensityView.LEAST else "FLOP per byte asked for, as if no cache existed"
    return _log_axis(frame, (frame.x0, frame.x1), title, steps=(1,))


def _y_axis(frame: _Frame) -> dict[str, Any]:
    return _log_axis(frame, (frame.y0, frame.y1), frame.scale.unit, steps=_TICKS)


def _log_axis(frame: _Frame, ends: tuple[float, float], title: str, steps: tuple[int, ...]) -> dict[str, Any]:
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


def _decades(low: float, high: float) -> dict[str, list[Any]]:
    values = [10.0**d for d in range(math.ceil(low), math.floor(high) + 1)]
    return {"tickvals": values, "ticktext": [_tick_text(value) for value in values]}


def _roof_lines(frame: _Frame) -> list[dict[str, Any]]:
    """Each pair of roofs: the slope up to its ridge, then flat."""
    roofs, color = frame.ladder.roofs, frame.request.palette.roof
    shapes: list[dict[str, Any]] = []
    measured = (roofs.bandwidth, roofs.compute)
    stated = (roofs.bandwidth_datasheet, roofs.compute_datasheet)
    for (bandwidth, compute), stroke in (
        (measured, {"width": 2.2}),
        (stated, {"width": 1.2, "dash": "2px,2px"}),
    ):
        ridge = compute.value / bandwidth.value if bandwidth and compute else None
        if bandwidth:
            shapes += _slope(frame, bandwidth.value, ridge, color, stroke)
        if compute:
            shapes += _flat(frame, compute.value, ridge, color, stroke)
    if roofs.compute_at_held_clock:
        shapes += _flat(frame, roofs.compute_at_held_clock, None, color, {"width": 1, "dash": "7px,4px"})
    return shapes


def _slope(
    frame: _Frame, bytes_per_s: float, ridge: float | None, color: str, stroke: dict[str, Any]
) -> list[dict[str, Any]]:
    factor = frame.scale.factor
    start = max(10**frame.x0, 10**frame.y0 * factor / bytes_per_s)
    end = min(ridge or math.inf, 10**frame.x1, 10**frame.y1 * factor / bytes_per_s)
    if end <= start:
        return []
    return [line(start, bytes_per_s * start / factor, end, bytes_per_s * end / factor, color, **stroke)]


def _flat(
    frame: _Frame, flop_per_s: float, ridge: float | None, color: str, stroke: dict[str, Any]
) -> list[dict[str, Any]]:
    start = max(ridge or 0.0, 10**frame.x0)
    value = flop_per_s / frame.scale.factor
    return [line(start, value, 10**frame.x1, value, color, **stroke)]


def _roof_labels(frame: _Frame) -> list[dict[str, Any]]:
    roofs, palette = frame.ladder.roofs, frame.request.palette
    font = {"size": 11.5, "color": palette.roof}
    labels: list[dict[str, Any]] = []
    top = roofs.highest_compute
    if top:
        text = _compute_label(frame)
        y = math.log10(top / frame.scale.factor)
        labels.append(note(text, frame.x1, y, xanchor="right", yanchor="bottom", yshift=3, font=font))
    bandwidth = roofs.best_bandwidth
    if bandwidth:
        labels.append(_slope_label(frame, bandwidth.value, font))
    return labels


def _compute_label(frame: _Frame) -> str:
    roofs, narrow = frame.ladder.roofs, frame.request.narrow
    name = formatting.dtype_title(frame.ladder.dtype)
    parts = []
    if roofs.compute_datasheet and not narrow:
        parts.append(f"{frame.scale.number(roofs.compute_datasheet.value)} data sheet")
    if roofs.compute:
        held = f", held {formatting.clock(roofs.held_clock_hz)}" if roofs.held_clock_hz and not narrow else ""
        parts.append(f"<b>{frame.scale.number(roofs.compute.value)}</b> measured{held}")
    return f"{name} {' · '.join(parts)}"


def _slope_label(frame: _Frame, bytes_per_s: float, font: dict[str, Any]) -> dict[str, Any]:
    """On the visible part of the slope, a little below it, turned to the angle that is drawn."""
    factor = frame.scale.factor
    compute = frame.ladder.roofs.best_compute
    start = max(frame.x0, frame.y0 + math.log10(factor / bytes_per_s))
    end = math.log10(compute.value / bytes_per_s) if compute else frame.x1
    x = start + (end - start) * 0.5
    y = x + math.log10(bytes_per_s / factor)
    angle = math.radians(-frame.slope_degrees)
    shift = 11
    return note(
        f"DRAM {formatting.bandwidth(bytes_per_s)}",
        x,
        y,
        xanchor="center",
        textangle=frame.slope_degrees,
        xshift=shift * math.sin(angle),
        yshift=-shift * math.cos(angle),
        font=font,
    )


def _points(frame: _Frame, view: Roofline, chips: list[Placed]) -> dict[str, Any]:
    palette = frame.request.palette
    outlines = [palette.bad if p.above_roof else _color(frame, p) for p in view.points]
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [10 ** frame.x_at(chip.x) for chip in chips],
        "y": [10 ** frame.y_at(chip.y) for chip in chips],
        "text": [f"<b>{p.row.rank}</b>" if p.row.rank else "" for p in view.points],
        "textposition": "middle center",
        "textfont": {"size": 10.5, "color": palette.ink},
        "cliponaxis": False,
        "marker": {
            "size": [12 if p.row.reference else CHIP_PX for p in view.points],
            "symbol": ["diamond" if p.row.reference else "circle" for p in view.points],
            "color": palette.surface,
            "line": {"color": outlines, "width": [2.4 if p.above_roof else 1.5 for p in view.points]},
            "opacity": 1,
        },
        "error_y": _error_bars(frame, view),
        "hovertext": [_hover(p, view) for p in view.points],
        "hoverinfo": "text",
        "customdata": [[_href(p, view.ladder), escaped(p.row.stage)] for p in view.points],
    }


def _color(frame: _Frame, point: RooflinePoint) -> str:
    palette = frame.request.palette
    return palette.reference if point.row.reference else palette.own


def _error_bars(frame: _Frame, view: Roofline) -> dict[str, Any]:
    """The interval of the rate, drawn only where it reaches out of the marker."""
    upper, lower = [], []
    for p in view.points:
        low, high = p.low_flop_per_s or p.flop_per_s, p.high_flop_per_s or p.flop_per_s
        wide = frame.y_px(high) - frame.y_px(low) > CHIP_PX
        upper.append((high - p.flop_per_s) / frame.scale.factor if wide else 0)
        lower.append((p.flop_per_s - low) / frame.scale.factor if wide else 0)
    return {
        "type": "data",
        "array": upper,
        "arrayminus": lower,
        "symmetric": False,
        "color": frame.request.palette.reference,
        "thickness": 1.2,
        "width": 3,
        "visible": any(upper) or any(lower),
    }


def _hover(point: RooflinePoint, view: Roofline) -> str:
    kind = "least traffic" if view.view is IntensityView.LEAST else "as if no cache existed"
    lines = [
        hover_text(point.row, view.ladder),
        f"{formatting.significant(point.intensity)} FLOP/B, modelled ({kind})",
    ]
    if point.warm_flop_per_s:
        lines.append(f"warm {formatting.rate(point.warm_flop_per_s)}")
    return "<br>".join(lines)


def _href(point: RooflinePoint, ladder: LadderView) -> str:
    return view_state.stage_href(
        ladder.run_id, point.row.stage, problem=ladder.problem, size=ladder.size.key, dtype=ladder.dtype
    )


def _leaders(frame: _Frame, view: Roofline, chips: list[Placed]) -> list[dict[str, Any]]:
    """A hairline from a chip that was moved aside to its true place."""
    factor, color = frame.scale.factor, frame.request.palette.axis
    return [
        line(10 ** frame.x_at(chip.x), 10 ** frame.y_at(chip.y), p.intensity, p.flop_per_s / factor, color)
        for p, chip in zip(view.points, chips, strict=True)
        if chip.moved
    ]


def _warm_lines(frame: _Frame, view: Roofline) -> list[dict[str, Any]]:
    if not frame.request.with_warm:
        return []
    factor = frame.scale.factor
    return [
        line(p.intensity, p.flop_per_s / factor, p.intensity, p.warm_flop_per_s / factor, _color(frame, p))
        for p in view.points
        if p.warm_flop_per_s
    ]


def _warm_points(frame: _Frame, view: Roofline) -> list[dict[str, Any]]:
    pairs = [(p, p.warm_flop_per_s) for p in view.points if p.warm_flop_per_s]
    if not frame.request.with_warm or not pairs:
        return []
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [p.intensity for p, _ in pairs],
            "y": [warm / frame.scale.factor for _, warm in pairs],
            "marker": {
                "size": 8,
                "color": frame.request.palette.surface,
                "line": {"color": [_color(frame, p) for p, _ in pairs], "width": 1.5},
                "opacity": 1,
            },
            "hovertext": [f"<b>{escaped(p.row.title)}</b>, warm<br>{formatting.rate(w)}" for p, w in pairs],
            "hoverinfo": "text",
            "customdata": [[_href(p, view.ladder), escaped(p.row.stage)] for p, _ in pairs],
        }
    ]


def _point_labels(frame: _Frame, view: Roofline, chips: list[Placed]) -> list[dict[str, Any]]:
    """Right of the column; a label that would run into another is dropped, its chip stays."""
    if frame.request.narrow or not view.points:
        return []
    palette = frame.request.palette
    column = [max(frame.x_px(p.intensity), chip.x) for p, chip in zip(view.points, chips, strict=True)]
    roof = view.ladder.roofs.best_compute
    line_at = frame.y_px(roof.value) if roof else None
    places = place_labels([(x + 16, chip.y) for x, chip in zip(column, chips, strict=True)], line_at)
    labels = []
    for p, place in zip(view.points, places, strict=True):
        if place is None:
            continue
        name = escaped(formatting.shortened(p.row.title if p.row.reference else p.row.stage, 18))
        text = f"{name}  <b>{frame.scale.number(p.flop_per_s)}</b>"
        font = {"size": 12, "color": palette.bad if p.above_roof else palette.ink}
        labels.append(
            note(
                text,
                frame.x_at(place.x),
                frame.y_at(place.y),
                font=font,
                bgcolor=palette.surface,
                borderpad=0,
            )
        )
    return labels
