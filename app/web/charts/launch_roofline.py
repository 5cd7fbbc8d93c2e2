"""One launch on a log-log roofline: a point a level at its counted intensity, a slope a known bandwidth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from app.domain.vocabulary import Level, Provenance
from app.services.launch_roofline import LaunchRoofline, LevelPoint
from app.web import formatting
from app.web.charts.chart import NARROW_BELOW_PX, Figure, axis, base_layout, escaped, line, note
from app.web.charts.palette import Palette
from app.web.formatting import Scale
from app.web.wording import LEVEL

HEIGHT_PX = 340
MARGIN = {"l": 50, "r": 12, "t": 12, "b": 46}
POINT_PX = 15


@dataclass(frozen=True)
class _Frame:
    """The drawn decades: x in log10 FLOP/byte, y in log10 of the unit of the y axis."""

    view: LaunchRoofline
    palette: Palette
    scale: Scale
    x0: float
    x1: float
    y0: float
    y1: float
    slope_degrees: float

    def y(self, flop_per_s: float) -> float:
        return flop_per_s / self.scale.factor


def launch_roofline_figure(view: LaunchRoofline, palette: Palette, width_px: int, name: str) -> Figure:
    """Slopes and the flat roof, the launch's levels on one dotted line, least traffic as a hollow point."""
    frame = _frame(view, palette, width_px)
    layout = {
        **base_layout(palette, HEIGHT_PX, MARGIN),
        "xaxis": _log_axis(frame, (frame.x0, frame.x1), "FLOP per byte, counted at each level"),
        "yaxis": _log_axis(frame, (frame.y0, frame.y1), frame.scale.unit),
        "shapes": [*_roofs(frame), *_guide(frame)],
        "annotations": [*_roof_labels(frame), *_point_labels(frame, width_px < NARROW_BELOW_PX)],
    }
    data = [_points(frame), *_least(frame)]
    walk = tuple((trace, index) for trace, one in enumerate(data) for index in range(len(one["x"])))
    return Figure(data, layout, walk, "roofladder-launch-roofline", escaped(name))


def _frame(view: LaunchRoofline, palette: Palette, width_px: int) -> _Frame:
    intensities = [p.intensity for p in view.points] + (
        [view.least_intensity] if view.least_intensity else []
    )
    ridges = [
        view.compute_flop_per_s / p.roof_bytes_per_s
        for p in view.points
        if view.compute_flop_per_s and p.roof_bytes_per_s
    ]
    rates = [view.flop_per_s, *([view.compute_flop_per_s] if view.compute_flop_per_s else [])]
    allowed = [a for p in view.points if (a := view.allowed(p)) is not None]
    scale = formatting.rate_scale(rates)
    x0 = math.log10(min([*intensities, *ridges]) / 6)
    x1 = math.log10(max([*intensities, *ridges]) * 12)
    y0 = math.log10(min([*rates, *allowed]) / scale.factor / 4)
    y1 = math.log10(max([*rates, *allowed]) / scale.factor * 3)
    rise = (HEIGHT_PX - MARGIN["t"] - MARGIN["b"]) / (y1 - y0)
    run = max(width_px - MARGIN["l"] - MARGIN["r"], 120) / (x1 - x0)
    return _Frame(view, palette, scale, x0, x1, y0, y1, -math.degrees(math.atan2(rise, run)))


def _log_axis(frame: _Frame, ends: tuple[float, float], title: str) -> dict[str, Any]:
    decades = range(math.ceil(ends[0]), math.floor(ends[1]) + 1)
    palette = frame.palette
    return axis(
        palette,
        type="log",
        range=list(ends),
        tickvals=[10.0**d for d in decades],
        ticktext=[f"{10.0**d:g}" for d in decades],
        minor={"ticks": "outside", "ticklen": 3, "tickcolor": palette.axis, "dtick": "D1", "showgrid": False},
        title={"text": title, "standoff": 8, "font": {"size": 12, "color": palette.ink_2}},
    )


def _color(level: Level, palette: Palette) -> str:
    return {Level.DRAM: palette.roof, Level.L2: palette.l2, Level.L1: palette.l1}[level]


def _roofs(frame: _Frame) -> list[dict[str, Any]]:
    view, shapes, ridges = frame.view, [], []
    for point in view.points:
        bandwidth = point.roof_bytes_per_s
        if bandwidth is None:
            continue
        end = min(view.compute_flop_per_s / bandwidth if view.compute_flop_per_s else math.inf, 10**frame.x1)
        ridges.append(end)
        start = max(10**frame.x0, 10**frame.y0 * frame.scale.factor / bandwidth)
        if start < end:
            width = 2.2 if point.level is Level.DRAM else 1.4
            ends = (start, frame.y(bandwidth * start), end, frame.y(bandwidth * end))
            shapes.append(line(*ends, _color(point.level, frame.palette), width=width))
    if view.compute_flop_per_s:
        flat = frame.y(view.compute_flop_per_s)
        start = min([*ridges, 10**frame.x1]) if ridges else 10**frame.x0
        shapes.append(line(start, flat, 10**frame.x1, flat, frame.palette.roof, width=2.2))
    return shapes


def _guide(frame: _Frame) -> list[dict[str, Any]]:
    view = frame.view
    ends = [p.intensity for p in view.points] + ([view.least_intensity] if view.least_intensity else [])
    if len(ends) < 2:
        return []
    y = frame.y(view.flop_per_s)
    return [line(min(ends), y, max(ends), y, frame.palette.axis, width=1, dash="dot")]


def _points(frame: _Frame) -> dict[str, Any]:
    view, palette = frame.view, frame.palette
    colors = [_color(p.level, palette) for p in view.points]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [p.intensity for p in view.points],
        "y": [frame.y(view.flop_per_s)] * len(view.points),
        "cliponaxis": False,
        "marker": {
            "size": POINT_PX,
            "color": colors,
            "line": {"color": palette.surface, "width": 1.5},
            "opacity": 1,
        },
        "hovertext": [_hover(view, p) for p in view.points],
        "hoverinfo": "text",
    }


def _hover(view: LaunchRoofline, point: LevelPoint) -> str:
    allowed = view.allowed(point)
    lines = [
        f"<b>{LEVEL[point.level]}</b>",
        f"{formatting.significant(point.intensity)} FLOP/B by {formatting.bytes_moved(point.moved_bytes)}",
        f"{formatting.rate(view.flop_per_s)} at {formatting.bandwidth(point.bytes_per_s)}",
    ]
    if allowed:
        lines.append(
            f"{formatting.percent(view.flop_per_s / allowed)} of the {formatting.rate(allowed)} it allows"
        )
    return "<br>".join(lines)


def _least(frame: _Frame) -> list[dict[str, Any]]:
    view, palette = frame.view, frame.palette
    if not view.least_intensity:
        return []
    hollow = {
        "size": POINT_PX,
        "color": palette.surface,
        "line": {"color": palette.own, "width": 1.5},
        "opacity": 1,
    }
    text = f"<b>Least traffic</b><br>{formatting.significant(view.least_intensity)} FLOP/B, modelled"
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [view.least_intensity],
            "y": [frame.y(view.flop_per_s)],
            "cliponaxis": False,
            "marker": hollow,
            "hovertext": [text],
            "hoverinfo": "text",
        }
    ]


def _point_labels(frame: _Frame, narrow: bool) -> list[dict[str, Any]]:
    """Below each point, in steps so that neighbours do not run into each other."""
    view, palette = frame.view, frame.palette
    y = math.log10(frame.y(view.flop_per_s))
    marks = [(p.intensity, LEVEL[p.level], _color(p.level, palette)) for p in view.points]
    if view.least_intensity:
        marks.append((view.least_intensity, "least", palette.ink_3))
    marks.sort(key=lambda mark: mark[0])
    return [
        note(
            name if narrow else f"{name} <b>{formatting.significant(x)}</b>",
            math.log10(x),
            y,
            xanchor="center",
            yanchor="top",
            yshift=-(POINT_PX * 0.7 + 15 * (index % 2)),
            font={"size": 12, "color": color},
            bgcolor=palette.surface,
            borderpad=0,
        )
        for index, (x, name, color) in enumerate(marks)
    ]


def _roof_labels(frame: _Frame) -> list[dict[str, Any]]:
    view, labels = frame.view, []
    if view.compute_flop_per_s:
        source = " measured" if view.compute_source is Provenance.MEASURED else ""
        title = formatting.roof_title(view.compute_title)
        text = f"{title} <b>{frame.scale.number(view.compute_flop_per_s)}</b>{source}"
        y = math.log10(frame.y(view.compute_flop_per_s))
        font = {"size": 11.5, "color": frame.palette.roof}
        labels.append(note(text, frame.x1, y, xanchor="right", yanchor="bottom", yshift=3, font=font))
    labels += [_slope_label(frame, p) for p in view.points if p.roof_bytes_per_s]
    return labels


def _slope_label(frame: _Frame, point: LevelPoint) -> dict[str, Any]:
    bandwidth = point.roof_bytes_per_s or 1.0
    compute = frame.view.compute_flop_per_s
    start = max(frame.x0, frame.y0 + math.log10(frame.scale.factor / bandwidth))
    end = min(math.log10(compute / bandwidth) if compute else frame.x1, frame.x1)
    x = start + (end - start) * (0.45 if point.level is Level.DRAM else 0.6)
    angle = math.radians(-frame.slope_degrees)
    return note(
        f"{LEVEL[point.level]} {formatting.bandwidth(bandwidth)}",
        x,
        x + math.log10(bandwidth / frame.scale.factor),
        xanchor="center",
        textangle=frame.slope_degrees,
        xshift=-10 * math.sin(angle),
        yshift=10 * math.cos(angle),
        font={"size": 11.5, "color": _color(point.level, frame.palette)},
    )
