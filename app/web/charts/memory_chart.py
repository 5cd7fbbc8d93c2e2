"""Bytes between the levels of memory as a drawing: boxes from the registers to DRAM, an arrow each way."""

from __future__ import annotations

from dataclasses import dataclass

from app.services.launch_traffic import Flow, MemoryLevel, Traffic
from app.web import formatting

WIDTH, HEIGHT = 1160, 236
BOX_WIDTH, TOP = 150, 10
GAP = (WIDTH - 4 * BOX_WIDTH) / 3
THINNEST, THICKEST = 1.6, 24.0
HEAD = 8.0


@dataclass(frozen=True)
class Box:
    """A level: where it stands and what is written in it."""

    x: float
    name: str
    lines: tuple[str, ...]
    foot: str
    busiest: bool


@dataclass(frozen=True)
class Arrow:
    """A flow: a line and a head. label above, caption below; missing: not collected, dashed."""

    x0: float
    x1: float
    y: float
    width: float
    head: str
    label: str
    caption: str
    label_y: float
    caption_y: float
    missing: bool
    busiest: bool

    @property
    def middle(self) -> float:
        """Where its texts are centred."""
        return (self.x0 + self.x1) / 2


@dataclass(frozen=True)
class MemoryDrawing:
    """Everything in the coordinates of a view box of WIDTH x HEIGHT."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    width: int = WIDTH
    height: int = HEIGHT
    box_width: int = BOX_WIDTH
    box_top: int = TOP
    box_height: int = HEIGHT - 2 * TOP


def memory_drawing(traffic: Traffic) -> MemoryDrawing:
    """Place boxes and arrows."""
    boxes, arrows = [], []
    hottest = max(
        (flow.peak_fraction or 0.0 for level in traffic.levels for flow in level.flows), default=0.0
    )
    for index, level in enumerate(traffic.levels):
        x = index * (BOX_WIDTH + GAP)
        boxes.append(Box(x, level.name, _facts(level), _foot(level, traffic), level.name == traffic.busiest))
        shown = level.flows
        for place, flow in enumerate(shown):
            arrows.append(_arrow(flow, x, place, len(shown), hottest))
    return MemoryDrawing(tuple(boxes), tuple(arrows))


def _facts(level: MemoryLevel) -> tuple[str, ...]:
    hit = None if level.hit_fraction is None else f"hit {formatting.percent(level.hit_fraction)}"
    busy = None if level.busy_fraction is None else f"{formatting.percent(level.busy_fraction)} busy"
    return tuple(text for text in (hit, busy) if text)


def _foot(level: MemoryLevel, traffic: Traffic) -> str:
    if level.name != "DRAM" or traffic.over_least is None:
        return ""
    return f"{formatting.factor(traffic.over_least)} of least"


def _arrow(flow: Flow, box_x: float, place: int, count: int, hottest: float) -> Arrow:
    y = TOP + (HEIGHT - 2 * TOP) * (place + 0.5) / count
    near, far = box_x - GAP + 6, box_x - 6
    share = min(max(flow.peak_fraction or 0.0, 0.0), 1.0)
    width = THINNEST + share * (THICKEST - THINNEST)
    tip, tail = (far, near) if flow.towards_memory else (near, far)
    back = tip - HEAD if flow.towards_memory else tip + HEAD
    half = max(width * 0.75, 4.5)
    missing = flow.bytes_moved is None
    return Arrow(
        x0=tail,
        x1=back,
        y=y,
        width=width,
        head=f"{tip:.1f},{y:.1f} {back:.1f},{y - half:.1f} {back:.1f},{y + half:.1f}",
        label="not collected" if missing else formatting.bytes_moved(flow.bytes_moved),
        caption=flow.title,
        label_y=y - half - 4,
        caption_y=y + half + 12,
        missing=missing,
        busiest=bool(hottest) and flow.peak_fraction == hottest,
    )
