"""Roofline: log-log, measured roofs solid, stated ones dotted; each point is a permalink to its stage."""

from __future__ import annotations

from typing import Any

from app.services.charted_run import charted_run
from app.services.ladder_rows import LadderView
from app.services.roofline_points import IntensityView, Roofline, RooflinePoint, intensity_view, roofline
from app.storage.store import Store
from app.web import formatting, view_state
from app.web.charts.chart import Chart, ChartRequest, Figure, base_layout, escaped, line, note
from app.web.charts.hover import caption, file_name, hover_text
from app.web.charts.label_placing import Placed, place_chips, place_labels
from app.web.charts.roofline_frame import MARGIN, RooflineFrame, frame_of, height_px, x_axis, y_axis
from app.web.charts.roofline_roofs import roof_labels, roof_lines
from app.web.naming import row_label

CHIP_PX = 17
_BYTES = {
    IntensityView.LEAST: "least traffic",
    IntensityView.NO_CACHE: "as if no cache existed",
    IntensityView.L2: "asked of the L2 cache",
    IntensityView.SHARED: "asked of shared memory",
}


def build(store: Store, request: ChartRequest) -> Figure:
    """Roofs, points with chips, labels right of their column, the warm pair joined by a thin line."""
    run, ladder = charted_run(store, request.run_id, request.choice)
    view = roofline(ladder, intensity_view(request.view))
    frame = frame_of(request, view)
    chips = place_chips([(frame.x_px(p.intensity), frame.y_px(p.flop_per_s)) for p in view.points], CHIP_PX)
    layout = {
        **base_layout(request.palette, height_px(request.narrow), MARGIN),
        "xaxis": x_axis(frame, view),
        "yaxis": y_axis(frame),
        "shapes": [*roof_lines(frame), *_leaders(frame, view, chips), *_warm_lines(frame, view)],
        "annotations": [*roof_labels(frame), *_point_labels(frame, view, chips)],
    }
    points = _points(frame, view, chips)
    data = [points, *_warm_points(frame, view)]
    walk = tuple((0, index) for index in range(len(view.points)))
    return Figure(data, layout, walk, file_name(run, "roofline", ladder), caption(run, ladder))


def _points(frame: RooflineFrame, view: Roofline, chips: list[Placed]) -> dict[str, Any]:
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


def _color(frame: RooflineFrame, point: RooflinePoint) -> str:
    palette = frame.request.palette
    return palette.reference if point.row.reference else palette.own


def _error_bars(frame: RooflineFrame, view: Roofline) -> dict[str, Any]:
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
    lines = [
        hover_text(point.row, view.ladder),
        f"{formatting.significant(point.intensity)} FLOP/B, modelled ({_BYTES[view.view]})",
    ]
    if point.warm_flop_per_s:
        lines.append(f"warm {formatting.rate(point.warm_flop_per_s)}")
    return "<br>".join(lines)


def _href(point: RooflinePoint, ladder: LadderView) -> str:
    return view_state.stage_href(
        ladder.run_id, point.row.stage, problem=ladder.problem, size=ladder.size.key, dtype=ladder.dtype
    )


def _leaders(frame: RooflineFrame, view: Roofline, chips: list[Placed]) -> list[dict[str, Any]]:
    """A hairline from a chip that was moved aside to its true place."""
    factor, color = frame.scale.factor, frame.request.palette.axis
    return [
        line(10 ** frame.x_at(chip.x), 10 ** frame.y_at(chip.y), p.intensity, p.flop_per_s / factor, color)
        for p, chip in zip(view.points, chips, strict=True)
        if chip.moved
    ]


def _warm_lines(frame: RooflineFrame, view: Roofline) -> list[dict[str, Any]]:
    if not frame.request.with_warm:
        return []
    factor = frame.scale.factor
    return [
        line(p.intensity, p.flop_per_s / factor, p.intensity, p.warm_flop_per_s / factor, _color(frame, p))
        for p in view.points
        if p.warm_flop_per_s
    ]


def _warm_points(frame: RooflineFrame, view: Roofline) -> list[dict[str, Any]]:
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


def _point_labels(frame: RooflineFrame, view: Roofline, chips: list[Placed]) -> list[dict[str, Any]]:
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
        name = escaped(row_label(p.row, view.ladder.dtype, 18))
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


CHART = Chart("roofline", build)
