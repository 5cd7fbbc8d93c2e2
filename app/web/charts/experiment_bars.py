"""An experiment whose categories are its stages: a bar each, theory as a dotted mark across it."""

from __future__ import annotations

from typing import Any

from app.services.lab_view import ExperimentView, LabPoint
from app.web import formatting
from app.web.charts.chart import axis, base_layout, escaped, line, note
from app.web.charts.experiment_frame import BOTTOM_PX, ExperimentFrame, link

PITCH_PX, TOP_PX = 34, 30
HALF_BAR = 0.31


def bars_height_px(view: ExperimentView) -> int:
    """Height of the drawing, by its rows."""
    return TOP_PX + PITCH_PX * max(len(view.points), 1) + BOTTOM_PX


def bars(frame: ExperimentFrame) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Traces and layout, first stage on top; a stage without a number says why."""
    points = frame.view.points
    known = [(y, p) for y, p in enumerate(points) if p.value is not None]
    edges = [frame.palette.reference if p.stage.reference else _fill(frame, p) for _, p in known]
    longest = 13 if frame.narrow else 32
    left = 96 if frame.narrow else max(90, min(max(len(p.stage.title) for p in points) * 7 + 14, 230))
    largest = max([p.value or 0 for p in points] + [p.theory or 0 for p in points], default=1.0)
    drawn = {
        "type": "bar",
        "orientation": "h",
        "x": [frame.drawn(p.value) for _, p in known],
        "y": [y for y, _ in known],
        "width": 2 * HALF_BAR,
        "marker": {
            "color": [_fill(frame, p) for _, p in known],
            "cornerradius": 2,
            "line": {
                "color": edges,
                "width": [1.3 if p.stage.reference or p.quarantined else 0 for _, p in known],
            },
        },
        "hovertext": [frame.hover(p) for _, p in known],
        "hoverinfo": "text",
        "customdata": [link(p) for _, p in known],
    }
    margin = {"l": left, "r": 64, "t": 8, "b": BOTTOM_PX}
    layout = {
        **base_layout(frame.palette, bars_height_px(frame.view), margin),
        "xaxis": axis(frame.palette, range=[0, frame.drawn(largest) * 1.08], title=frame.value_title),
        "yaxis": axis(
            frame.palette,
            range=[len(points) - 0.5, -0.5 - (TOP_PX - 8) / PITCH_PX],
            tickvals=list(range(len(points))),
            ticktext=[escaped(formatting.shortened(p.stage.title, longest)) for p in points],
            tickfont={"size": 12, "color": frame.palette.ink},
            tickcolor="rgba(0,0,0,0)",
            showgrid=False,
            showline=False,
        ),
        "shapes": [
            *(_theory_mark(frame, y, p) for y, p in enumerate(points) if p.theory is not None),
            *(_whisker(frame, y, p) for y, p in known if p.low is not None and p.high is not None),
        ],
        "annotations": [*_theory_label(frame), *(_bar_note(frame, y, p) for y, p in enumerate(points))],
    }
    return [drawn], layout


def _theory_mark(frame: ExperimentFrame, y: int, point: LabPoint) -> dict[str, Any]:
    x = frame.drawn(point.theory)
    return line(x, y - 0.44, x, y + 0.44, frame.palette.roof, width=2, dash="dot", layer="above")


def _whisker(frame: ExperimentFrame, y: int, point: LabPoint) -> dict[str, Any]:
    low, high = frame.drawn(point.low), frame.drawn(point.high)
    return line(low, y, high, y, frame.palette.reference, width=3, layer="above")


def _theory_label(frame: ExperimentFrame) -> list[dict[str, Any]]:
    first = next(((y, p) for y, p in enumerate(frame.view.points) if p.theory is not None), None)
    if first is None:
        return []
    largest = max(max(p.theory or 0, p.value or 0) for p in frame.view.points)
    right = (first[1].theory or 0) > largest / 2
    return [
        note(
            escaped(frame.view.experiment.theory_title),
            frame.drawn(first[1].theory),
            -0.5,
            xanchor="right" if right else "left",
            yanchor="bottom",
            font={"size": 11.5, "color": frame.palette.roof},
        )
    ]


def _bar_note(frame: ExperimentFrame, y: int, point: LabPoint) -> dict[str, Any]:
    if point.value is None:
        words = formatting.cut(point.reason or "not measured", 34 if frame.narrow else 80)
        return note(escaped(words), 0, y, xshift=6, font={"size": 11.5, "color": frame.palette.ink_3})
    text = frame.scale.number(point.value)
    beyond = max(point.value, point.high or 0)
    return note(text, frame.drawn(beyond), y, xshift=5, font={"size": 12, "color": frame.palette.ink})


def _fill(frame: ExperimentFrame, point: LabPoint) -> str:
    if point.stage.reference or point.quarantined:
        return frame.palette.surface
    return frame.palette.bar
