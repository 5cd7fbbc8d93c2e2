"""Texts of the stage ladder: the value after a bar, and between two bars the reason for the step."""

from __future__ import annotations

from typing import Any

from app.domain.vocabulary import CellStatus
from app.services.ladder_rows import LadderRow
from app.web import formatting
from app.web.charts.chart import (
    escaped,
    note,
    text_width_px,
)
from app.web.charts.ladder_plan import (
    HALF_BAR,
    SHORTEST_WHISKER_PX,
    LadderPlan,
    roof_values,
)
from app.web.naming import row_label

_NO_NUMBER = {
    CellStatus.WRONG_RESULT: "wrong result: not timed",
    CellStatus.FAILED: "failed",
    CellStatus.SKIPPED: "skipped",
    CellStatus.UNSUPPORTED: "not on this device",
    None: "waiting",
}


def row_notes(plan: LadderPlan) -> list[dict[str, Any]]:
    """The texts of every rung."""
    notes: list[dict[str, Any]] = []
    for y, row in enumerate(plan.ladder.rows):
        notes += _value_note(plan, y, row)
        if plan.request.narrow:
            notes.append(_name_above(plan, y, row))
        elif y:
            notes += _reason_note(plan, y, row)
    return notes


def _name_above(plan: LadderPlan, y: int, row: LadderRow) -> dict[str, Any]:
    name = escaped(row_label(row, plan.ladder.dtype, 28))
    text = f"{row.rank}  {name}" if row.rank else name
    return note(f"<b>{text}</b>", plan.range[0], y - HALF_BAR - 0.2, xshift=1)


def _value_note(plan: LadderPlan, y: int, row: LadderRow) -> list[dict[str, Any]]:
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
    spread_px = plan.px(_end(plan, row)) - plan.px(row.rate)
    inside = not spread_px and _crosses_a_line(plan, row.rate, width)
    color, tone = (palette.surface, palette.surface) if inside else (palette.ink, palette.ink_2)
    if inside and row.reference:
        color = tone = palette.ink
    text = f'<b>{value}</b>  <span style="font-size:11px;color:{tone}">{small}</span>'
    place = {"xanchor": "right", "xshift": -5} if inside else {"xshift": 4}
    return [
        note(
            text,
            plan.x(row.rate if inside else _end(plan, row)),
            y,
            font={"size": 12.5, "color": color},
            **place,
        )
    ]


def _end(plan: LadderPlan, row: LadderRow) -> float:
    """Where the label starts, in FLOP/s: the bar's end, or that of the spread drawn through it."""
    rate, shown = row.rate or 0.0, row.shown
    if shown is None:
        return rate
    fastest = min(shown.p5_s, shown.ci_low_s or shown.p5_s)
    reach = rate * shown.median_s / fastest
    slowest = max(shown.p95_s, shown.ci_high_s or shown.p95_s)
    drawn = plan.px(reach) - plan.px(rate * shown.median_s / slowest) >= SHORTEST_WHISKER_PX
    return min(reach, plan.largest) if drawn else rate


def _crosses_a_line(plan: LadderPlan, rate: float, width_px: float) -> bool:
    """Whether a label after the bar's end would run over a line or out of the plot, with room inside."""
    start = plan.px(rate)
    library = plan.ladder.library
    lines = [*roof_values(plan.ladder), *([library.rate] if library and library.rate else [])]
    crossed = any(start + 2 < plan.px(value) < start + width_px + 4 for value in lines)
    return (crossed or start + width_px > plan.plot_px) and start > width_px + 8


def _reason_note(plan: LadderPlan, y: int, row: LadderRow) -> list[dict[str, Any]]:
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


def _between(plan: LadderPlan, y: int, text: str) -> dict[str, Any]:
    palette = plan.request.palette
    font = {"size": 11.5, "color": palette.ink_2}
    return note(text, plan.range[0], y - 0.5, xshift=10, font=font, bgcolor=palette.surface, borderpad=1)
