"""Stage ladder: a bar a rung, and between two rungs the reason why the lower one is faster."""

from __future__ import annotations

from typing import Any

from app.services.charted_run import charted_run
from app.services.ladder_rows import LadderRow, LadderView
from app.storage.store import Store
from app.web import formatting, view_state
from app.web.charts.chart import (
    Chart,
    ChartRequest,
    Figure,
    axis,
    base_layout,
    escaped,
    line,
)
from app.web.charts.hover import caption, file_name, hover_text
from app.web.charts.ladder_notes import row_notes
from app.web.charts.ladder_plan import (
    HALF_BAR,
    RIGHT_PX,
    SHORTEST_WHISKER_PX,
    LadderPlan,
    plan_of,
)
from app.web.charts.ladder_reference import reference_labels, reference_lines
from app.web.naming import row_label

PITCH_PX = 49
TOP_PX, BOTTOM_PX = 56, 46
LOG_SPAN = 1000.0


def height_px(row_count: int) -> int:
    """Height of the drawing, reserved by the page before it is drawn."""
    return TOP_PX + PITCH_PX * max(row_count, 1) + BOTTOM_PX


def spans_decades(ladder: LadderView) -> bool:
    """Whether the rungs span more than 1000×, so that a logarithmic axis is worth a switch."""
    rates = [row.rate for row in ladder.measured if row.rate]
    return bool(rates) and max(rates) / min(rates) > LOG_SPAN


def build(store: Store, request: ChartRequest) -> Figure:
    """Bars by rate from 0, first rung on top; library dashed, roofs solid and dotted."""
    run, ladder = charted_run(store, request.run_id, request.choice)
    plan = plan_of(request, ladder)
    margin = {"l": plan.left_px, "r": RIGHT_PX, "t": 8, "b": BOTTOM_PX}
    bars, walk = _bars(plan)
    layout = {
        **base_layout(request.palette, height_px(len(ladder.rows)), margin),
        "xaxis": _x_axis(plan),
        "yaxis": _y_axis(plan),
        "bargap": 0,
        "barmode": "overlay",
        "shapes": [*_rails(plan), *reference_lines(plan), *_spreads(plan)],
        "annotations": [*reference_labels(plan), *row_notes(plan)],
    }
    return Figure([bars], layout, walk, file_name(run, "ladder", ladder), caption(run, ladder))


def _x_axis(plan: LadderPlan) -> dict[str, Any]:
    title = plan.scale.unit + (
        f", {formatting.dtype_title(plan.ladder.dtype)}" if plan.ladder.counts_flop else ""
    )
    return axis(
        plan.request.palette,
        type="log" if plan.log_from else "linear",
        range=list(plan.range),
        nticks=9,
        dtick=1 if plan.log_from else None,
        title={"text": title, "standoff": 8, "font": {"size": 12, "color": plan.request.palette.ink_2}},
    )


def _y_axis(plan: LadderPlan) -> dict[str, Any]:
    rows = plan.ladder.rows
    labels = [] if plan.request.narrow else [_label(row, plan) for row in rows]
    return axis(
        plan.request.palette,
        range=[plan.bottom, plan.top - (TOP_PX - 8) / PITCH_PX + 0.5],
        tickvals=list(range(len(rows))) if labels else [],
        ticktext=labels,
        tickfont={"size": 12, "color": plan.request.palette.ink},
        tickcolor="rgba(0,0,0,0)",
        ticklen=6,
        showgrid=False,
        showline=False,
    )


def _label(row: LadderRow, plan: LadderPlan) -> str:
    name = escaped(row_label(row, plan.ladder.dtype, 24))
    if row.rate is None:
        name = f'<span style="color:{plan.request.palette.ink_3}">{name}</span>'
    return name if row.rank is None else f"<b>{row.rank}</b>  {name}"


def _bars(plan: LadderPlan) -> tuple[dict[str, Any], tuple[tuple[int, int], ...]]:
    palette = plan.request.palette
    with_number = [(y, row) for y, row in enumerate(plan.ladder.rows) if row.rate is not None]
    base = plan.log_from or 0.0
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": [y for y, _ in with_number],
        "x": [plan.drawn(row.rate or 0) - base for _, row in with_number],
        "base": base,
        "width": 2 * HALF_BAR,
        "marker": {
            "color": [_fill(row, plan) for _, row in with_number],
            "line": {
                "color": [palette.reference if row.reference else _fill(row, plan) for _, row in with_number],
                "width": [1.3 if row.reference else 0 for _, row in with_number],
            },
            "cornerradius": 2,
            "opacity": 1,
        },
        "hovertext": [hover_text(row, plan.ladder) for _, row in with_number],
        "hoverinfo": "text",
        "customdata": [[_href(row, plan.ladder), escaped(row.stage)] for _, row in with_number],
    }
    return bars, tuple((0, index) for index in range(len(with_number)))


def _href(row: LadderRow, ladder: LadderView) -> str:
    return view_state.stage_href(
        ladder.run_id, row.stage, problem=ladder.problem, size=ladder.size.key, dtype=ladder.dtype
    )


def _fill(row: LadderRow, plan: LadderPlan) -> str:
    palette = plan.request.palette
    if row.reference:
        return palette.surface
    return palette.warn if row.slower or row.quarantined else palette.bar


def _rails(plan: LadderPlan) -> list[dict[str, Any]]:
    """The thin line on the axis from a rung to its parent."""
    if plan.request.narrow:
        return []
    left = plan.drawn((plan.log_from or 0.0) * plan.scale.factor)
    color = plan.request.palette.line_2
    return [line(left, y - 1 + HALF_BAR, left, y - HALF_BAR, color) for y in range(1, len(plan.ladder.rows))]


def _spreads(plan: LadderPlan) -> list[dict[str, Any]]:
    """Interval and p5–p95 through the bar's end, where they are wide enough to be seen."""
    shapes: list[dict[str, Any]] = []
    for y, row in enumerate(plan.ladder.rows):
        shown = row.shown
        if shown is None or row.rate is None:
            continue
        work = row.rate * shown.median_s
        ends = [(shown.p5_s, shown.p95_s, 1.2)]
        if shown.ci_low_s and shown.ci_high_s:
            ends.append((shown.ci_low_s, shown.ci_high_s, 3.0))
        for fast, slow, width in ends:
            low, high = work / slow, work / fast
            if plan.px(high) - plan.px(low) >= SHORTEST_WHISKER_PX:
                color = plan.request.palette.reference
                shapes.append(
                    line(plan.drawn(low), y, plan.drawn(high), y, color, width=width, layer="above")
                )
    return shapes


CHART = Chart("ladder", build)
