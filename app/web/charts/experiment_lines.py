"""An experiment over a size parameter: theory as a dashed line, a marked line a stage."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

from app.services.lab_view import LabPoint
from app.web import formatting
from app.web.charts.chart import axis, base_layout, escaped, note
from app.web.charts.experiment_frame import BOTTOM_PX, ExperimentFrame, link

LINES_HEIGHT_PX = 300


def lines(frame: ExperimentFrame) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Traces and layout; theory lies under what was measured."""
    series = _series(frame.view.points)
    margin = {"l": 58, "r": 24 if frame.narrow else 130, "t": 14, "b": BOTTOM_PX}
    several = len(series) > 1
    data = [_theory_line(frame, one) for one in series if any(p.theory is not None for p in one)]
    data += [_measured_line(frame, index, one) for index, one in enumerate(series)]
    xs = sorted({p.x for p in frame.view.points if p.x is not None})
    logarithmic = frame.view.experiment.logarithmic and bool(xs) and xs[0] > 0
    layout = {
        **base_layout(frame.palette, LINES_HEIGHT_PX, margin),
        "xaxis": axis(
            frame.palette,
            type="log" if logarithmic else "linear",
            tickvals=_ticks(xs, 6 if frame.narrow else 12),
            ticktext=[formatting.grouped(x) for x in _ticks(xs, 6 if frame.narrow else 12)],
            title={
                "text": frame.view.experiment.axis_title,
                "standoff": 8,
                "font": {"size": 12, "color": frame.palette.ink_2},
            },
        ),
        "yaxis": axis(
            frame.palette,
            type="log" if _spans_decades(frame.view.points) else "linear",
            rangemode="tozero",
            title=frame.value_title,
        ),
        "annotations": [] if frame.narrow else _line_labels(frame, series, logarithmic, several),
    }
    return data, layout


def _ticks(xs: Sequence[int], most: int) -> list[int]:
    step = -(-len(xs) // most)
    return list(xs[::step])


def _spans_decades(points: Sequence[LabPoint]) -> bool:
    values = [p.value for p in points if p.value]
    return bool(values) and max(values) > 30 * min(values)


def _series(points: Sequence[LabPoint]) -> list[list[LabPoint]]:
    by_stage: dict[str, list[LabPoint]] = {}
    for point in points:
        by_stage.setdefault(point.stage.name, []).append(point)
    return list(by_stage.values())


def _theory_line(frame: ExperimentFrame, points: Sequence[LabPoint]) -> dict[str, Any]:
    known = [p for p in points if p.theory is not None]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [p.x for p in known],
        "y": [frame.drawn(p.theory) for p in known],
        "line": {"color": frame.palette.roof, "width": 1.6, "dash": "dash"},
        "hoverinfo": "skip",
    }


def _measured_line(frame: ExperimentFrame, index: int, points: Sequence[LabPoint]) -> dict[str, Any]:
    known = [p for p in points if p.value is not None]
    color = (frame.palette.bar, frame.palette.reference, frame.palette.bad)[index % 3]
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
    """The last point of each line bears its name; a label of the theory gives way where they meet."""
    found: list[dict[str, Any]] = []
    for one in series:
        last = next((p for p in reversed(one) if p.value is not None), None)
        if last is not None:
            words = last.stage.title if several else "measured"
            found.append(_end_label(frame, words, last, last.value, frame.palette.bar, logarithmic))
    last = next((p for one in series for p in reversed(one) if p.theory is not None), None)
    if last is not None:
        reach = max(p.value or 0 for p in frame.view.points)
        near = last.value is not None and abs((last.theory or 0) - last.value) < 0.1 * reach
        label = _end_label(
            frame, frame.view.experiment.theory_title, last, last.theory, frame.palette.roof, logarithmic
        )
        above = (last.theory or 0) >= (last.value or 0)
        aside = 9 + 7 * (1 + label["text"].count("<br>"))
        found.append({**label, "yshift": (aside if above else -aside) if near else 0})
    return found


def _end_label(
    frame: ExperimentFrame, words: str, point: LabPoint, value: float | None, color: str, logarithmic: bool
) -> dict[str, Any]:
    x, y = float(point.x or 0), frame.drawn(value)
    return note(
        _wrapped(escaped(words)),
        log10(x) if logarithmic else x,
        log10(y) if _spans_decades(frame.view.points) and y > 0 else y,
        xshift=8,
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
