"""Sample distributions: a strip a stage on one axis of deviation from the stage's own median."""

from __future__ import annotations

import math
from typing import Any

from app.services.charted_run import charted_run
from app.services.sample_strips import SampleStrip, sample_strips
from app.storage.store import Store
from app.web import formatting, view_state
from app.web.charts.chart import Chart, ChartRequest, Figure, axis, base_layout, escaped, line, note
from app.web.charts.hover import caption, file_name, hover_text
from app.web.naming import stage_label

PITCH_PX = 49
TOP_PX, BOTTOM_PX, RIGHT_PX = 34, 46, 84
MOST_OVER_MIDDLE = 4.0  # one very noisy stage must not flatten the others


def height_px(row_count: int) -> int:
    """Height of the drawing, as tall as the ladder beside it."""
    return TOP_PX + 22 + PITCH_PX * max(row_count, 1) + BOTTOM_PX


def build(store: Store, request: ChartRequest) -> Figure:
    """Dots, p5–p95 as a thin line above them, the 95 % interval as a thick bar."""
    run, ladder = charted_run(store, request.run_id, request.choice)
    strips = sample_strips(ladder, store.samples(request.run_id))
    palette = request.palette
    half = _half_range_percent(strips)
    labels = [stage_label(s.row.stage, ladder.dtype, 20) for s in strips]
    left = min(max(max(map(len, labels), default=8) * 7 + 12, 70), 120 if request.narrow else 170)
    layout = {
        **base_layout(palette, height_px(len(strips)), {"l": left, "r": RIGHT_PX, "t": 8, "b": BOTTOM_PX}),
        "xaxis": axis(
            palette,
            range=[-half, half],
            nticks=7,
            zeroline=True,
            zerolinecolor=palette.line_2,
            title={
                "text": "Deviation from the stage’s own median, %",
                "standoff": 8,
                "font": {"size": 12, "color": palette.ink_2},
            },
        ),
        "yaxis": axis(
            palette,
            range=[len(strips) - 0.5, -1.05],
            tickvals=list(range(len(strips))),
            ticktext=[escaped(label) for label in labels],
            tickfont={"size": 12, "color": palette.ink},
            tickcolor="rgba(0,0,0,0)",
            showgrid=False,
            showline=False,
        ),
        "shapes": [shape for y, strip in enumerate(strips) for shape in _summary(strip, y, half, request)],
        "annotations": [_column_head(half, request)]
        + [_right_note(strip, y, half, request) for y, strip in enumerate(strips)],
    }
    dots = [_dots(strip, y, half, request, run.summary.id) for y, strip in enumerate(strips)]
    walk = tuple((index, 0) for index, strip in enumerate(strips) if strip.deviations)
    return Figure(dots, layout, walk, file_name(run, "samples", ladder), caption(run, ladder))


CHART = Chart("samples", build)


def _half_range_percent(strips: tuple[SampleStrip, ...]) -> float:
    """Wide enough for nine strips in ten; samples beyond are drawn at the edge and counted beside it."""
    reach = sorted(max(abs(s.p5), abs(s.p95), abs(s.second_mode or 0)) for s in strips if s.deviations)
    if not reach:
        return 1.0
    nine_in_ten = reach[math.ceil(len(reach) * 0.9) - 1]
    return max(min(nine_in_ten, MOST_OVER_MIDDLE * reach[len(reach) // 2]) * 100 * 1.6, 0.02)


def _dots(strip: SampleStrip, y: int, half: float, request: ChartRequest, run_id: int) -> dict[str, Any]:
    palette = request.palette
    clipped = [max(min(d * 100, half * 0.985), -half * 0.985) for d in strip.deviations]
    href = view_state.stage_href(run_id, strip.row.stage, size=strip.size_key, dtype=strip.dtype)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [round(x, 5) for x in clipped],
        "y": [round(y + 0.16 + 0.26 * _spread(i), 4) for i in range(len(clipped))],
        "marker": {
            "size": 4,
            "color": palette.reference if strip.row.reference else palette.bar,
            "opacity": 0.55,
            "line": {"width": 0},
        },
        "hovertext": hover_text(strip.row, strip.ladder),
        "hoverinfo": "text",
        "customdata": [[href, escaped(strip.row.stage)]] * (1 if clipped else 0),
    }


def _spread(index: int) -> float:
    """Even, reproducible scatter across the strip: the golden-ratio sequence."""
    return (index * 0.6180339887498949) % 1.0 - 0.5


def _summary(strip: SampleStrip, y: int, half: float, request: ChartRequest) -> list[dict[str, Any]]:
    if not strip.deviations:
        return []
    color = request.palette.ink
    top = y - 0.16
    shapes = [
        line(
            max(strip.p5 * 100, -half), top, min(strip.p95 * 100, half), top, color, width=1.2, layer="above"
        )
    ]
    if strip.ci_low is not None and strip.ci_high is not None:
        least = half * 0.012  # a bar thinner than this cannot be seen
        low, high = min(strip.ci_low * 100, -least), max(strip.ci_high * 100, least)
        shapes.append(line(max(low, -half), top, min(high, half), top, color, width=6, layer="above"))
    return shapes


def _column_head(half: float, request: ChartRequest) -> dict[str, Any]:
    return note("95 % CI", half, -0.8, xshift=12, font={"size": 11, "color": request.palette.ink_3})


def _right_note(strip: SampleStrip, y: int, half: float, request: ChartRequest) -> dict[str, Any]:
    palette = request.palette
    text, color = formatting.plus_minus(strip.half_interval), palette.ink_2
    if not strip.deviations:
        text, color = "not timed", palette.ink_3
    elif strip.half_interval is None:
        text = "n too small"
    elif strip.second_mode is not None:
        text, color = "<b>2 modes</b>", palette.warn
        if strip.second_mode_clock_hz:
            text += f"<br>at {formatting.clock(strip.second_mode_clock_hz)}"
    return note(text, half, y, xshift=12, font={"size": 11.5, "color": color})
