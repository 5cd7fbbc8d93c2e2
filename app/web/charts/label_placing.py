"""Keeps the chips and labels of a chart apart. All in pixels, y upwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LINE_PX = 14.0
FARTHEST_PX = 12.0


@dataclass(frozen=True)
class Placed:
    """Where a chip or label stands, and whether that is beside its true place."""

    x: float
    y: float
    moved: bool = False


def place_chips(points: Sequence[tuple[float, float]], size_px: float) -> list[Placed]:
    """Move a chip that would cover another one sideways, by as many widths as it takes."""
    placed: dict[int, Placed] = {}
    for index in sorted(range(len(points)), key=lambda i: -points[i][1]):
        x, y = points[index]
        shift = 0.0
        while any(abs(p.x - x + shift) < size_px - 1 and abs(p.y - y) < size_px - 1 for p in placed.values()):
            shift += size_px + 3
        placed[index] = Placed(x - shift, y, shift > 0)
    return [placed[index] for index in range(len(points))]


def place_labels(points: Sequence[tuple[float, float]], line_at: float | None = None) -> list[Placed | None]:
    """Push labels of one column apart, and down from a horizontal line; one pushed too far is dropped."""
    placed: dict[int, Placed | None] = {}
    taken: list[Placed] = []
    for index in sorted(range(len(points)), key=lambda i: -points[i][1]):
        x, y = points[index]
        above = [p.y for p in taken if abs(p.x - x) < 120]
        off_line = line_at - LINE_PX * 0.7 if line_at is not None and abs(line_at - y) < LINE_PX * 0.7 else y
        free = min([off_line, *(top - LINE_PX for top in above)])
        spot = Placed(x, free, free != y) if y - free <= FARTHEST_PX else None
        placed[index] = spot
        if spot:
            taken.append(spot)
    return [placed[index] for index in range(len(points))]


def spread(middles: Sequence[float], heights: Sequence[float], top: float) -> list[float]:
    """Move the middles of labels in one column apart, as little as it takes, within 0 and `top`.

    Where they do not all fit, they overlap at the top rather than leave the drawing at the bottom.
    """
    order = sorted(range(len(middles)), key=lambda i: middles[i])
    placed = dict(enumerate(middles))
    floor = 0.0
    for index in order:
        placed[index] = max(placed[index], floor + heights[index] / 2)
        floor = placed[index] + heights[index] / 2
    ceiling = top
    for index in reversed(order):
        placed[index] = max(min(placed[index], ceiling - heights[index] / 2), heights[index] / 2)
        ceiling = placed[index] - heights[index] / 2
    return [placed[index] for index in range(len(middles))]
