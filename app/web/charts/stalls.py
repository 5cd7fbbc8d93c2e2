"""Where warps wait: horizontal bars of warp cycles per issued instruction, the longest on top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.domain.kernel_evidence import Counter
from app.services.launch_view import Stall
from app.web import formatting
from app.web.charts.chart import Figure, axis, base_layout, escaped, line, note, text_width_px
from app.web.charts.palette import Palette
from app.web.counter_wording import stall_meaning, stall_title

PITCH_PX, TOP_PX, BOTTOM_PX = 30, 8, 46
HALF_BAR = 0.3
WORDS_FROM_PX = 400
LEFT_PX, RIGHT_PX = 128, 10


def stalls_height_px(stalls: Sequence[Stall]) -> int:
    """Height of the drawing, by its rows."""
    return TOP_PX + PITCH_PX * max(len(stalls), 1) + BOTTOM_PX


def stalls_figure(
    stalls: Sequence[Stall], palette: Palette, width_px: int, name: str, other: Sequence[Stall] = ()
) -> Figure:
    """`other`: stalls of the compared launch, a tick each across the same bar."""
    narrow = width_px < WORDS_FROM_PX
    rows = list(enumerate(stalls))
    plot_px = max(width_px - LEFT_PX - RIGHT_PX, 120)
    reach = max((_reach(s, plot_px, narrow) for s in stalls), default=1.0)
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [s.cycles for s in stalls],
        "y": [y for y, _ in rows],
        "width": 2 * HALF_BAR,
        "marker": {"color": [_color(s, palette) for s in stalls], "cornerradius": 2},
        "hovertext": [_hover(s) for s in stalls],
        "hoverinfo": "text",
    }
    ticks = {s.counter: s.cycles for s in other}
    what = "Cycles an instruction" if narrow else "Warp cycles per issued instruction"
    total = formatting.significant(sum(s.cycles for s in stalls))
    layout = {
        **base_layout(
            palette, stalls_height_px(stalls), {"l": LEFT_PX, "r": RIGHT_PX, "t": TOP_PX, "b": BOTTOM_PX}
        ),
        "xaxis": axis(
            palette,
            range=[0, max([reach, *(s.cycles for s in other)])],
            nticks=6,
            title={
                "text": f"{what}, {total} in all",
                "standoff": 8,
                "font": {"size": 12, "color": palette.ink_2},
            },
        ),
        "yaxis": axis(
            palette,
            range=[len(stalls) - 0.5, -0.5],
            tickvals=[y for y, _ in rows],
            ticktext=[escaped(stall_title(s)) for s in stalls],
            tickfont={"size": 12, "color": palette.ink},
            tickcolor="rgba(0,0,0,0)",
            showgrid=False,
            showline=False,
        ),
        "shapes": _ticks(rows, ticks, palette),
        "annotations": [_label(y, s, ticks, palette, narrow) for y, s in rows],
    }
    walk = tuple((0, index) for index, _ in rows)
    return Figure([bars], layout, walk, "roofladder-stalls", escaped(name))


def _reach(stall: Stall, plot_px: float, narrow: bool) -> float:
    """Where the axis must end, so that the words behind the bar are not cut."""
    words_px = 48 if narrow else 54 + text_width_px(stall_meaning(stall))
    return stall.cycles * plot_px / max(plot_px - words_px, plot_px / 4)


def _color(stall: Stall, palette: Palette) -> str:
    fixed = {Counter.STALL_SELECTED: palette.good, Counter.STALL_NOT_SELECTED: palette.line_2}
    return fixed.get(stall.counter, palette.bar) if stall.counter else palette.bar


def _hover(stall: Stall) -> str:
    return (
        f"<b>{escaped(stall_title(stall))}</b><br>{formatting.significant(stall.cycles)} cycles per issue"
        f"<br>{escaped(stall_meaning(stall))}"
    )


def _ticks(
    rows: Sequence[tuple[int, Stall]], ticks: Mapping[Counter | None, float], palette: Palette
) -> list[dict[str, Any]]:
    return [
        line(x, y - 0.42, x, y + 0.42, palette.reference, width=2, layer="above")
        for y, stall in rows
        if (x := ticks.get(stall.counter)) is not None
    ]


def _label(
    y: int, stall: Stall, ticks: Mapping[Counter | None, float], palette: Palette, narrow: bool
) -> dict[str, Any]:
    meaning = (
        "" if narrow else f"  <span style='color:{palette.ink_3}'>{escaped(stall_meaning(stall))}</span>"
    )
    text = f"<b>{formatting.significant(stall.cycles)}</b>{meaning}"
    beyond = max(stall.cycles, ticks.get(stall.counter, 0.0))
    return note(text, beyond, y, xshift=6, font={"size": 12, "color": palette.ink})
