"""The roofs of a roofline: slopes and flats, each with its label on the line."""

from __future__ import annotations

import math
from typing import Any

from app.domain.measurement import Ceiling
from app.domain.vocabulary import Arithmetic
from app.services.roofline_points import IntensityView, intensity_view
from app.services.roofs import ComputeRoof
from app.web import formatting
from app.web.charts.chart import line, note
from app.web.charts.roofline_frame import RooflineFrame

_SLOPES = {IntensityView.L2: "L2", IntensityView.SHARED: "Shared memory"}


def roof_lines(frame: RooflineFrame) -> list[dict[str, Any]]:
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
    for other in roofs.others:
        shapes += _further_flat(frame, other, color)
    return shapes


def _further_flat(frame: RooflineFrame, other: ComputeRoof, color: str) -> list[dict[str, Any]]:
    """The best roof of one more arithmetic, with the slope that leads up to it."""
    best, bandwidth = other.best, frame.ladder.roofs.best_bandwidth
    if best is None:
        return []
    stroke = {"width": 1.6} if other.measured else {"width": 1.2, "dash": "2px,2px"}
    ridge = best.value / bandwidth.value if bandwidth else None
    slope = _slope(frame, bandwidth.value, ridge, color, stroke) if bandwidth else []
    return slope + _flat(frame, best.value, ridge, color, stroke)


def _slope(
    frame: RooflineFrame, bytes_per_s: float, ridge: float | None, color: str, stroke: dict[str, Any]
) -> list[dict[str, Any]]:
    factor = frame.scale.factor
    start = max(10**frame.x0, 10**frame.y0 * factor / bytes_per_s)
    end = min(ridge or math.inf, 10**frame.x1, 10**frame.y1 * factor / bytes_per_s)
    if end <= start:
        return []
    return [line(start, bytes_per_s * start / factor, end, bytes_per_s * end / factor, color, **stroke)]


def _flat(
    frame: RooflineFrame, flop_per_s: float, ridge: float | None, color: str, stroke: dict[str, Any]
) -> list[dict[str, Any]]:
    start = max(ridge or 0.0, 10**frame.x0)
    value = flop_per_s / frame.scale.factor
    return [line(start, value, 10**frame.x1, value, color, **stroke)]


def roof_labels(frame: RooflineFrame) -> list[dict[str, Any]]:
    """One label on the slope and one above the flat."""
    roofs, palette = frame.ladder.roofs, frame.request.palette
    font = {"size": 11.5, "color": palette.roof}
    labels: list[dict[str, Any]] = []
    top = roofs.highest_compute
    if top:
        text = _compute_label(frame)
        y = math.log10(top / frame.scale.factor)
        labels.append(note(text, frame.x1, y, xanchor="right", yanchor="bottom", yshift=3, font=font))
    labels += [
        _further_label(frame, other.arithmetic, other.best, font) for other in roofs.others if other.best
    ]
    bandwidth = roofs.best_bandwidth
    if bandwidth:
        labels.append(_slope_label(frame, bandwidth.value, font))
    return labels


def _compute_label(frame: RooflineFrame) -> str:
    roofs, narrow = frame.ladder.roofs, frame.request.narrow
    name = formatting.roof_title(roofs.arithmetic)
    parts = []
    if roofs.compute_datasheet and not narrow:
        parts.append(f"{frame.scale.number(roofs.compute_datasheet.value)} data sheet")
    if roofs.compute:
        held = f", held {formatting.clock(roofs.held_clock_hz)}" if roofs.held_clock_hz and not narrow else ""
        parts.append(f"<b>{frame.scale.number(roofs.compute.value)}</b> measured{held}")
    return f"{name} {' · '.join(parts)}"


def _further_label(
    frame: RooflineFrame, arithmetic: Arithmetic, best: Ceiling, font: dict[str, Any]
) -> dict[str, Any]:
    text = f"{formatting.roof_title(arithmetic)} <b>{frame.scale.number(best.value)}</b> {best.source.value}"
    y = math.log10(best.value / frame.scale.factor)
    return note(text, frame.x1, y, xanchor="right", yanchor="bottom", yshift=3, font=font)


def _slope_label(frame: RooflineFrame, bytes_per_s: float, font: dict[str, Any]) -> dict[str, Any]:
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
        f"{_SLOPES.get(intensity_view(frame.request.view), 'DRAM')} {formatting.bandwidth(bytes_per_s)}",
        x,
        y,
        xanchor="center",
        textangle=frame.slope_degrees,
        xshift=shift * math.sin(angle),
        yshift=-shift * math.cos(angle),
        font=font,
    )
