"""Library line and roofs of the stage ladder, with their labels."""

from __future__ import annotations

from typing import Any

from app.web import formatting
from app.web.charts.chart import (
    escaped,
    line,
    note,
    text_width_px,
)
from app.web.charts.ladder_plan import (
    LadderPlan,
    roof_values,
)


def reference_lines(plan: LadderPlan) -> list[dict[str, Any]]:
    """Vertical lines: library dashed, measured roof solid, stated one dotted."""
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


def reference_labels(plan: LadderPlan) -> list[dict[str, Any]]:
    """One label for the roofs and one for the library, above the first rung."""
    palette = plan.request.palette
    labels: list[dict[str, Any]] = []
    roof = _roof_label(plan)
    values = roof_values(plan.ladder)
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


def _label_place(plan: LadderPlan, value: float, text: str) -> tuple[float, str]:
    """To the left of its line, or to the right where there is no room on the left."""
    room = plan.px(value) + plan.left_px
    return plan.x(value), "right" if room > text_width_px(text, 11.5) * 0.9 else "left"


def _roof_label(plan: LadderPlan) -> str:
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
    name = formatting.roof_title(roofs.arithmetic) if flop else "DRAM"
    return f"{name} roof: {', '.join(parts)}" if parts else ""
