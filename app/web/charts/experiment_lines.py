"""An experiment over a size parameter: theory as a dashed line, a marked line a stage."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

from app.domain.vocabulary import CellStatus
from app.services.lab_view import LabPoint
from app.web.charts.chart import axis, base_layout, escaped, note
from app.web.charts.experiment_frame import BOTTOM_PX, ExperimentFrame, axis_text, link
from app.web.charts.label_placing import spread

LINES_HEIGHT_PX = 300
TICK_PX = 52
TEXT_PX = 15.0
PLOT_PX = LINES_HEIGHT_PX - BOTTOM_PX - 14


def lines(frame: ExperimentFrame) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Traces and layout; theory lies under what was measured."""
    series = _series(frame.view.points)
    margin = {"l": 58, "r": 24 if frame.narrow else 130, "t": 14, "b": BOTTOM_PX}
    several = len(series) > 1
    data = [_theory_line(frame, one) for one in series if any(p.theory is not None for p in one)]
    data += _further_lines(frame, series)
    data += [_measured_line(frame, index, one) for index, one in enumerate(series)]
    xs = sorted({p.x for p in frame.view.points if p.x is not None})
    logarithmic = frame.view.experiment.logarithmic and bool(xs) and xs[0] > 0
    marks = frame.view.experiment.ticks or xs
    ticks = _ticks(marks, (frame.width_px - margin["l"] - margin["r"]) // TICK_PX, logarithmic)
    layout = {
        **base_layout(frame.palette, LINES_HEIGHT_PX, margin),
        "xaxis": axis(
            frame.palette,
            type="log" if logarithmic else "linear",
            tickvals=ticks,
            ticktext=[axis_text(frame.view, x) for x in ticks],
            tickangle=0,
            title={
                "text": frame.view.experiment.axis_title,
                "standoff": 8,
                "font": {"size": 12, "color": frame.palette.ink_2},
            },
        ),
        "yaxis": axis(
            frame.palette,
            type="log" if _spans_decades(frame.view.points) else "linear",
            rangemode="tozero" if frame.view.experiment.from_zero else "normal",
            title=frame.value_title,
        ),
        "annotations": [] if frame.narrow else _line_labels(frame, series, logarithmic, several),
    }
    return data, layout


def _ticks(xs: Sequence[int], most: int, logarithmic: bool) -> list[int]:
    """Values far enough apart that their labels stand side by side, the first among them."""
    if not xs:
        return []
    at = [log10(x) if logarithmic else float(x) for x in xs]
    apart = (at[-1] - at[0]) / max(most, 1)
    kept = [0]
    for index in range(1, len(xs)):
        if at[index] - at[kept[-1]] >= apart:
            kept.append(index)
    return [xs[index] for index in kept]


def _spans_decades(points: Sequence[LabPoint]) -> bool:
    values = [p.value for p in points if p.value]
    return bool(values) and max(values) > 30 * min(values)


def _series(points: Sequence[LabPoint]) -> list[list[LabPoint]]:
    by_stage: dict[str, list[LabPoint]] = {}
    for point in points:
        by_stage.setdefault(point.stage.name, []).append(point)
    return list(by_stage.values())


def _theory_line(frame: ExperimentFrame, points: Sequence[LabPoint]) -> dict[str, Any]:
    known = [(p.x, p.theory) for p in points if p.theory and p.status is not CellStatus.SKIPPED]
    return _model_line(frame, known, "dash")


def _further_lines(frame: ExperimentFrame, series: Sequence[Sequence[LabPoint]]) -> list[dict[str, Any]]:
    """A dotted line for each further theory and stage that it speaks of."""
    lines_of = [
        [(p.x, p.further_theories[index]) for p in one if p.further_theories[index] is not None]
        for index in range(len(frame.view.experiment.further_theories))
        for one in series
    ]
    return [_model_line(frame, points, "dot") for points in lines_of if points]


def _model_line(
    frame: ExperimentFrame, points: Sequence[tuple[int | None, float | None]], dash: str
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [x for x, _ in points],
        "y": [frame.drawn(y) for _, y in points],
        "line": {"color": frame.palette.roof, "width": 1.6, "dash": dash},
        "hoverinfo": "skip",
    }


def series_color(frame: ExperimentFrame, index: int) -> str:
    """The colour of a line and its name."""
    return (frame.palette.bar, frame.palette.reference, frame.palette.bad)[index % 3]


def _measured_line(frame: ExperimentFrame, index: int, points: Sequence[LabPoint]) -> dict[str, Any]:
    known = [p for p in points if p.value is not None]
    color = series_color(frame, index)
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [p.x for p in known],
        "y": [frame.drawn(p.value) for p in known],
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [frame.drawn((p.high or p.value or 0) - (p.value or 0)) for p in known],
            "arrayminus": [frame.drawn((p.value or 0) - (p.low or p.value or 0)) for p in known],
            "color": frame.palette.reference,
            "thickness": 1.2,
            "width": 3,
        },
        "line": {"color": color, "width": 1.4, "dash": ("solid", "dot", "dashdot")[index % 3]},
        "marker": {
            "size": 7,
            "symbol": [
                ("circle", "diamond", "triangle-up")[index % 3] + ("-open" if p.quarantined else "")
                for p in known
            ],
            "color": color,
        },
        "hovertext": [frame.hover(p) for p in known],
        "hoverinfo": "text",
        "customdata": [link(p) for p in known],
    }


def _line_labels(
    frame: ExperimentFrame, series: Sequence[Sequence[LabPoint]], logarithmic: bool, several: bool
) -> list[dict[str, Any]]:
    """The last point of each line bears its name, the theory's lies beside its own; pushed apart."""
    found: list[tuple[str, LabPoint, float | None, str]] = []
    for index, one in enumerate(series):
        last = next((p for p in reversed(one) if p.value is not None), None)
        if last is not None:
            words = last.stage.title if several else "measured"
            found.append((words, last, last.value, series_color(frame, index)))
    last = next((p for one in series for p in reversed(one) if p.theory is not None), None)
    if last is not None:
        found.append((frame.view.experiment.theory_title, last, last.theory, frame.palette.roof))
        further = zip(frame.view.experiment.further_theories, last.further_theories, strict=True)
        found += [(one.title, last, value, frame.palette.roof) for one, value in further if value is not None]
    texts = [_wrapped(escaped(words)) for words, *_ in found]
    heights = [TEXT_PX * (1 + text.count("<br>")) for text in texts]
    true_px = [_height_px(frame, value) for _, _, value, _ in found]
    placed = _columns([point.x or 0 for _, point, *_ in found], true_px, heights)
    return [
        _end_label(frame, text, point, value, color, logarithmic, at - true)
        for text, (_, point, value, color), at, true in zip(texts, found, placed, true_px, strict=True)
    ]


def _columns(xs: Sequence[int], true_px: Sequence[float], heights: Sequence[float]) -> list[float]:
    """Each label's height above the axis in px; those that end at one x are one column."""
    placed = list(true_px)
    for x in set(xs):
        column = [index for index, other in enumerate(xs) if other == x]
        apart = spread([true_px[i] for i in column], [heights[i] for i in column], PLOT_PX)
        for index, at in zip(column, apart, strict=True):
            placed[index] = at
    return placed


def _height_px(frame: ExperimentFrame, value: float | None) -> float:
    """About how far above the axis a value is drawn."""
    values = [v for p in frame.view.points for v in (p.value, p.theory, *p.further_theories) if v]
    if not values or not value:
        return 0.0
    if _spans_decades(frame.view.points):
        low, high = log10(min(values)), log10(max(values))
        return PLOT_PX * (log10(value) - low) / ((high - low) or 1.0)
    low = 0.0 if frame.view.experiment.from_zero else min(values)
    return PLOT_PX * (value - low) / ((max(values) - low) * 1.05 or 1.0)


def _end_label(
    frame: ExperimentFrame,
    text: str,
    point: LabPoint,
    value: float | None,
    color: str,
    logarithmic: bool,
    up_px: float,
) -> dict[str, Any]:
    x, y = float(point.x or 0), frame.drawn(value)
    return note(
        text,
        log10(x) if logarithmic else x,
        log10(y) if _spans_decades(frame.view.points) and y > 0 else y,
        xshift=8,
        yshift=round(up_px),
        font={"size": 11.5, "color": color},
    )


def _wrapped(words: str, width: int = 20) -> str:
    done, current = [], ""
    for word in words.split():
        if current and len(current) + len(word) + 1 > width:
            done.append(current)
            current = word
        else:
            current = f"{current} {word}".strip()
    return "<br>".join([*done, current])
