"""Stage ladder: a bar a rung, and between two rungs the reason why the lower one is faster."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from app.domain.vocabulary import CellStatus
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
    note,
    text_width_px,
)
from app.web.charts.hover import caption, file_name, hover_text
from app.web.formatting import Scale

PITCH_PX = 49
TOP_PX, BOTTOM_PX, RIGHT_PX = 56, 46, 12
HALF_BAR = 0.21  # of the pitch
SHORTEST_WHISKER_PX = 3
LOG_SPAN = 1000.0
_NO_NUMBER = {
    CellStatus.WRONG_RESULT: "wrong result: not timed",
    CellStatus.FAILED: "failed",
    CellStatus.SKIPPED: "skipped",
    CellStatus.UNSUPPORTED: "not on this device",
    None: "waiting",
}


def height_px(row_count: int) -> int:
    """Height of the drawing, reserved by the page before it is drawn."""
    return TOP_PX + PITCH_PX * max(row_count, 1) + BOTTOM_PX


def spans_decades(ladder: LadderView) -> bool:
    """Whether the rungs span more than 1000×, so that a logarithmic axis is worth a switch."""
    rates = [row.rate for row in ladder.measured if row.rate]
    return bool(rates) and max(rates) / min(rates) > LOG_SPAN


@dataclass(frozen=True)
class _Plan:
    """Where things go. Values on the axis are `x(value)`: the unit's number, or its logarithm."""

    request: ChartRequest
    ladder: LadderView
    scale: Scale
    largest: float
    left_px: int
    log_from: float | None  # smallest value of a logarithmic axis

    @property
    def top(self) -> float:
        return -0.62

    @property
    def bottom(self) -> float:
        return len(self.ladder.rows) - 0.5

    @property
    def plot_px(self) -> float:
        return max(self.request.width_px - self.left_px - RIGHT_PX, 60)

    def x(self, value: float) -> float:
        """Place of a value, for shapes on a linear axis and annotations on both."""
        number = value / self.scale.factor
        return math.log10(max(number, self.log_from)) if self.log_from else number

    def drawn(self, value: float) -> float:
        """Place of a value for traces and shapes, which take plain numbers on a logarithmic axis."""
        number = value / self.scale.factor
        return max(number, self.log_from) if self.log_from else number

    def px(self, value: float) -> float:
        """Pixels from the left end of the plot."""
        low, high = self.range
        return (self.x(value) - low) / (high - low) * self.plot_px

    @property
    def range(self) -> tuple[float, float]:
        high = self.largest / self.scale.factor
        if self.log_from:
            return math.log10(self.log_from), math.log10(high * 1.5)
        return 0.0, high * 1.04


def build(store: Store, request: ChartRequest) -> Figure:
    """Bars by rate from 0, first rung on top; library dashed, roofs solid and dotted."""
    run, ladder = charted_run(store, request.run_id, request.choice)
    plan = _plan(request, ladder)
    margin = {"l": plan.left_px, "r": RIGHT_PX, "t": 8, "b": BOTTOM_PX}
    bars, walk = _bars(plan)
    layout = {
        **base_layout(request.palette, height_px(len(ladder.rows)), margin),
        "xaxis": _x_axis(plan),
        "yaxis": _y_axis(plan),
        "bargap": 0,
        "barmode": "overlay",
        "shapes": [*_rails(plan), *_reference_lines(plan), *_spreads(plan)],
        "annotations": [*_reference_labels(plan), *_row_notes(plan)],
    }
    return Figure([bars], layout, walk, file_name(run, "ladder", ladder), caption(run, ladder))


CHART = Chart("ladder", build)


def _plan(request: ChartRequest, ladder: LadderView) -> _Plan:
    rates = [row.rate for row in ladder.measured if row.rate]
    roofs = _roof_values(ladder)
    scale = formatting.rate_scale(rates or [1.0], "FLOP/s" if ladder.counts_flop else "B/s")
    names = [len(row.stage) + 3 for row in ladder.rows]
    left = 12 if request.narrow else min(max(round(max(names, default=8) * 6.9) + 14, 84), 190)
    smallest = min(rates, default=1.0) / scale.factor
    log_from = 10 ** math.floor(math.log10(smallest) - 0.15) if request.log_axis and rates else None
    return _Plan(request, ladder, scale, max([*rates, *roofs, scale.factor * 1e-3]), left, log_from)


def _roof_values(ladder: LadderView) -> list[float]:
    if not ladder.counts_flop:
        bandwidths = (ladder.roofs.bandwidth, ladder.roofs.bandwidth_datasheet)
        return [c.value for c in bandwidths if c]
    return [c.value for c in (ladder.roofs.compute, ladder.roofs.compute_datasheet) if c]


def _x_axis(plan: _Plan) -> dict[str, Any]:
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


def _y_axis(plan: _Plan) -> dict[str, Any]:
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


def _label(row: LadderRow, plan: _Plan) -> str:
    name = escaped(formatting.shortened(row.title if row.reference else row.stage, 24))
    if row.rate is None:
        name = f'<span style="color:{plan.request.palette.ink_3}">{name}</span>'
    return name if row.rank is None else f"<b>{row.rank}</b>  {name}"


def _bars(plan: _Plan) -> tuple[dict[str, Any], tuple[tuple[int, int], ...]]:
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


def _fill(row: LadderRow, plan: _Plan) -> str:
    palette = plan.request.palette
    if row.reference:
        return palette.surface
    return palette.warn if row.slower or row.quarantined else palette.bar


def _rails(plan: _Plan) -> list[dict[str, Any]]:
    """The thin line on the axis from a rung to its parent."""
    if plan.request.narrow:
        return []
    left = plan.drawn((plan.log_from or 0.0) * plan.scale.factor)
    color = plan.request.palette.line_2
    return [line(left, y - 1 + HALF_BAR, left, y - HALF_BAR, color) for y in range(1, len(plan.ladder.rows))]


def _reference_lines(plan: _Plan) -> list[dict[str, Any]]:
    palette, roofs = plan.request.palette, plan.ladder.roofs
    shapes: list[dict[str, Any]] = []

    def vertical(value: float, color: str, top: float, **more: Any) -> None:  # noqa: ANN401
        shapes.append(line(plan.drawn(value), top, plan.drawn(value), plan.bottom, color, **more))

    measured, stated, held = (
        (roofs.compute, roofs.compute_datasheet, roofs.compute_at_held_clock)
        if plan.ladder.counts_flop
        else (roofs.bandwidth, roofs.bandwidth_datasheet, None)
    )
    if measured:
        vertical(measured.value, palette.roof, plan.top - 0.18, width=2)
    if stated:
        vertical(stated.value, palette.roof, plan.top - 0.18, width=1.4, dash="2px,2px")
    if held:
        vertical(held, palette.roof, plan.top - 0.18, width=1.2, dash="7px,4px")
    library = plan.ladder.library
    if library and library.rate:
        vertical(library.rate, palette.reference, plan.top + 0.22, width=1.3, dash="5px,3px")
    return shapes


def _reference_labels(plan: _Plan) -> list[dict[str, Any]]:
    palette = plan.request.palette
    labels: list[dict[str, Any]] = []
    roof = _roof_label(plan)
    values = _roof_values(plan.ladder)
    if roof and values:
        x, anchor = _label_place(plan, max(values), roof)
        labels.append(
            note(roof, x, plan.top - 0.42, xanchor=anchor, font={"size": 11.5, "color": palette.roof})
        )
    library = plan.ladder.library
    if library and library.rate:
        short = escaped(formatting.shortened(library.title, 20).split(" ")[0])
        text = short if plan.request.narrow else f"{short} {plan.scale.number(library.rate)}"
        x, anchor = _label_place(plan, library.rate, text)
        labels.append(
            note(text, x, plan.top + 0.02, xanchor=anchor, font={"size": 11.5, "color": palette.ink})
        )
    return labels


def _label_place(plan: _Plan, value: float, text: str) -> tuple[float, str]:
    """To the left of its line, or to the right where there is no room on the left."""
    room = plan.px(value) + plan.left_px
    return plan.x(value), "right" if room > text_width_px(text, 11.5) * 0.9 else "left"


def _roof_label(plan: _Plan) -> str:
    roofs, flop = plan.ladder.roofs, plan.ladder.counts_flop
    measured, stated = (
        (roofs.compute, roofs.compute_datasheet) if flop else (roofs.bandwidth, roofs.bandwidth_datasheet)
    )
    if plan.request.narrow:
        best = measured or stated
        return f"<b>{plan.scale.number(best.value)}</b>" if best else ""
    parts = []
    if measured:
        parts.append(f"<b>{plan.scale.number(measured.value)}</b> measured")
    if flop and roofs.compute_at_held_clock:
        parts.append(f"{plan.scale.number(roofs.compute_at_held_clock)} at held clock")
    if stated:
        parts.append(f"{plan.scale.number(stated.value)} data sheet")
    name = formatting.dtype_title(plan.ladder.dtype) if flop else "DRAM"
    return f"{name} roof: {', '.join(parts)}" if parts else ""


def _spreads(plan: _Plan) -> list[dict[str, Any]]:
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


def _row_notes(plan: _Plan) -> list[dict[str, Any]]:
    notes: list[dict[str, Any]] = []
    for y, row in enumerate(plan.ladder.rows):
        notes += _value_note(plan, y, row)
        if plan.request.narrow:
            notes.append(_name_above(plan, y, row))
        elif y:
            notes += _reason_note(plan, y, row)
    return notes


def _name_above(plan: _Plan, y: int, row: LadderRow) -> dict[str, Any]:
    name = escaped(formatting.shortened(row.title if row.reference else row.stage, 28))
    text = f"{row.rank}  {name}" if row.rank else name
    return note(f"<b>{text}</b>", plan.range[0], y - HALF_BAR - 0.2, xshift=1)


def _value_note(plan: _Plan, y: int, row: LadderRow) -> list[dict[str, Any]]:
    palette = plan.request.palette
    if row.rate is None:
        bad = row.status in (CellStatus.WRONG_RESULT, CellStatus.FAILED)
        text = _NO_NUMBER[row.status] if row.status is not CellStatus.MEASURED else "not in this cache state"
        if row.reason and row.status is not CellStatus.WRONG_RESULT:
            text = f"{text}: {formatting.shortened(row.reason, 30 if plan.request.narrow else 64)}"
        font = {"size": 12, "color": palette.bad if bad else palette.ink_3}
        return [note(escaped(text), plan.range[0], y, xshift=9, font=font)]
    fraction = row.shown.roof_fraction_boost if row.shown else None
    small = f"×{formatting.factor_number(row.step)}" if plan.request.narrow and row.step else ""
    if not plan.request.narrow and fraction is not None:
        small = formatting.percent(fraction)
    value = plan.scale.number(row.rate)
    width = text_width_px(value, 13.5) + text_width_px(small, 11) + 14
    inside = _crosses_a_line(plan, row.rate, width)
    color, tone = (palette.surface, palette.surface) if inside else (palette.ink, palette.ink_2)
    if inside and row.reference:
        color = tone = palette.ink
    text = f'<b>{value}</b>  <span style="font-size:11px;color:{tone}">{small}</span>'
    place = {"xanchor": "right", "xshift": -5} if inside else {"xshift": 4}
    return [note(text, plan.x(row.rate), y, font={"size": 12.5, "color": color}, **place)]


def _crosses_a_line(plan: _Plan, rate: float, width_px: float) -> bool:
    """Whether a label after the bar's end would run over a line or out of the plot, with room inside."""
    start = plan.px(rate)
    library = plan.ladder.library
    lines = [*_roof_values(plan.ladder), *([library.rate] if library and library.rate else [])]
    crossed = any(start + 2 < plan.px(value) < start + width_px + 4 for value in lines)
    return (crossed or start + width_px > plan.plot_px) and start > width_px + 8


def _reason_note(plan: _Plan, y: int, row: LadderRow) -> list[dict[str, Any]]:
    palette = plan.request.palette
    if row.reference:
        togo = 1 / plan.ladder.against_library if plan.ladder.against_library else None
        if togo is None:
            return []
        text = f"<b>×{formatting.factor_number(togo)} to go</b>" if togo > 1 else "<b>library reached</b>"
        return [_between(plan, y, text)]
    if row.step is None or row.rate is None:
        return []
    arrow, tone = ("↓ ", palette.warn) if row.slower else ("", palette.ink)
    step = f"{arrow}×{formatting.factor_number(row.step)}"
    origin = "modelled" if row.parent_is_above else f"from {row.parent}"
    room = plan.plot_px - 24 - text_width_px(step) - text_width_px(origin, 11)
    change = formatting.cut(row.change, int(room / text_width_px("x", 11.5)))
    text = (
        f'<b><span style="color:{tone}">{step}</span></b>  {escaped(change)}'
        f'  <span style="font-size:11px;color:{palette.ink_3}">{escaped(origin)}</span>'
    )
    return [_between(plan, y, text)]


def _between(plan: _Plan, y: int, text: str) -> dict[str, Any]:
    palette = plan.request.palette
    font = {"size": 11.5, "color": palette.ink_2}
    return note(text, plan.range[0], y - 0.5, xshift=10, font=font, bgcolor=palette.surface, borderpad=1)
