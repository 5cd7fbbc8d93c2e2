"""The roofs of a device as bars, what the data sheet promises as a dotted mark across each."""

from __future__ import annotations

from typing import Any

from app.services.ceilings_view import CeilingGroup, CeilingRow
from app.web import formatting, view_state
from app.web.charts.chart import NARROW_BELOW_PX, Figure, axis, base_layout, escaped, line, note
from app.web.charts.palette import Palette

PITCH_PX, TOP_PX, BOTTOM_PX = 38, 30, 46
HALF_BAR = 0.31
_UNITS = {"bandwidth": "B/s", "compute": "FLOP/s"}


def ceilings_height_px(group: CeilingGroup) -> int:
    """Height of the drawing, reserved by the page before it is drawn."""
    return TOP_PX + PITCH_PX * len(group.rows) + BOTTOM_PX


def ceilings_scale(group: CeilingGroup) -> formatting.Scale:
    """The unit that bars and table share."""
    return formatting.rate_scale(group.values, _UNITS[group.kind.name])


def figure(group: CeilingGroup, palette: Palette, width_px: int, device_name: str) -> Figure:
    """One bar a roof, highest first; its link is the run that measured it."""
    scale = ceilings_scale(group)
    known = [(y, row) for y, row in enumerate(group.rows) if row.measured is not None]
    narrow = width_px < NARROW_BELOW_PX
    data = [_bars(known, scale, palette)]
    layout = {
        **base_layout(palette, ceilings_height_px(group), _margin(group, narrow)),
        "xaxis": _value_axis(group, scale, palette),
        "yaxis": _name_axis(group, palette, narrow),
        "shapes": [_mark(y, row, scale, palette) for y, row in enumerate(group.rows) if row.stated],
        "annotations": [_value_note(y, row, scale, palette) for y, row in enumerate(group.rows)],
    }
    walk = tuple((0, point) for point in range(len(known)))
    title = f"{group.kind.title} roofs · {device_name} · dotted: data sheet"
    return Figure(data, layout, walk, f"roofladder-ceilings-{group.kind.name}", escaped(title))


def _bars(known: list[tuple[int, CeilingRow]], scale: formatting.Scale, palette: Palette) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "x": [row.measured.ceiling.value / scale.factor for _, row in known if row.measured],
        "y": [y for y, _ in known],
        "width": 2 * HALF_BAR,
        "marker": {"color": palette.bar, "cornerradius": 2},
        "hovertext": [_hover(row, scale) for _, row in known],
        "hoverinfo": "text",
        "customdata": [
            [view_state.run_href(row.measured.run_id), escaped(row.title)] for _, row in known if row.measured
        ],
    }


def _hover(row: CeilingRow, scale: formatting.Scale) -> str:
    lines = [f"<b>{escaped(row.title)}</b>"]
    if row.measured:
        lines.append(f"{scale.text(row.measured.ceiling.value, 4)} measured, run {row.measured.run_id}")
    if row.stated:
        lines.append(f"{scale.text(row.stated.ceiling.value, 4)} data sheet")
    if row.reached_fraction is not None:
        lines.append(f"{formatting.percent(row.reached_fraction)} of the data sheet")
    return "<br>".join(lines)


def _mark(y: int, row: CeilingRow, scale: formatting.Scale, palette: Palette) -> dict[str, Any]:
    x = row.stated.ceiling.value / scale.factor if row.stated else 0.0
    return line(x, y - 0.44, x, y + 0.44, palette.roof, width=2, dash="dot", layer="above")


def _value_note(y: int, row: CeilingRow, scale: formatting.Scale, palette: Palette) -> dict[str, Any]:
    """The number right of the bar and of the data sheet's mark."""
    beyond = max(one.ceiling.value for one in row.known) / scale.factor
    shown = row.known[0].ceiling
    text = scale.number(shown.value) + ("" if row.measured else " data sheet")
    color = palette.ink if row.measured else palette.roof
    return note(text, beyond, y, xshift=6, font={"size": 12, "color": color})


def _margin(group: CeilingGroup, narrow: bool) -> dict[str, int]:
    widest = max(len(row.title) for row in group.rows) * 7 + 14
    return {"l": 110 if narrow else min(max(widest, 90), 190), "r": 84, "t": 8, "b": BOTTOM_PX}


def _value_axis(group: CeilingGroup, scale: formatting.Scale, palette: Palette) -> dict[str, Any]:
    title = {"text": scale.unit, "standoff": 8, "font": {"size": 12, "color": palette.ink_2}}
    return axis(palette, range=[0, max(group.values) / scale.factor * 1.04], title=title)


def _name_axis(group: CeilingGroup, palette: Palette, narrow: bool) -> dict[str, Any]:
    longest = 15 if narrow else 26
    return axis(
        palette,
        range=[len(group.rows) - 0.5, -0.5],
        tickvals=list(range(len(group.rows))),
        ticktext=[escaped(formatting.shortened(row.title, longest)) for row in group.rows],
        tickfont={"size": 12, "color": palette.ink},
        tickcolor="rgba(0,0,0,0)",
        showgrid=False,
        showline=False,
    )
