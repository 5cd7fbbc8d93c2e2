"""The contract of an experiment: one variable of a problem, what theory says, what to learn from the points.

A problem's folder may hold `experiment.py` with `EXPERIMENTS`, a tuple: each is one chart of the memory lab
(or of the hierarchy page). Adding an experiment edits nothing else.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype
from app.kernels.registry import problems
from app.kernels.stage import Stage


class Unit(StrEnum):
    """SI unit of what an experiment plots."""

    BYTES_PER_S = "bytes_per_s"
    FLOP_PER_S = "flop_per_s"
    SECONDS = "seconds"
    RATIO = "ratio"


Theory = Callable[[Stage, Size, DeviceEvidence], float | None]


@dataclass(frozen=True)
class TheoryLine:
    """A further line of theory beside the first, drawn over the axis."""

    title: str
    theory: Theory


@dataclass(frozen=True)
class Experiment:
    """One chart: `value` of each measured cell over `axis`, with the line that `theory` draws beside it.

    axis: the size parameter along x, or None where the stages themselves are the categories.
    value(cell) is in `unit`; None hides a point. theory gives None where it says nothing (no roof known).
    sizes: the sizes shown, in order; empty means the problem's suite sizes. stages: empty means all.
    """

    name: str
    title: str
    question: str
    lesson: str  # what to learn from it, two or three sentences, true for any device
    problem: str
    axis: str | None
    axis_title: str
    value_title: str
    unit: Unit
    value: Callable[[MeasuredCell], float | None]
    theory: Theory
    theory_title: str
    source: str  # where the lectures describe it: "L22 §7.1"
    further_theories: tuple[TheoryLine, ...] = ()  # only with an axis
    cache: CacheState = CacheState.COLD
    dtype: Dtype = Dtype.FLOAT32
    sizes: tuple[Size, ...] = ()
    stages: tuple[str, ...] = ()
    logarithmic: bool = False
    ticks: tuple[int, ...] = ()  # where the axis is marked; empty means at the points
    from_zero: bool = True  # False where what is to be seen is small beside the whole
    order: int = 100  # position on the page, low first


def useful_bandwidth(cell: MeasuredCell) -> float | None:
    """Least DRAM bytes over the median time, in bytes per second."""
    return cell.measurement.bytes_per_s


def median_time(cell: MeasuredCell) -> float | None:
    """Median duration in seconds."""
    return cell.measurement.median_s


@cache
def experiments() -> dict[str, Experiment]:
    """Every experiment by name, in page order."""
    found: list[Experiment] = []
    for name in problems():
        declared = f"app.kernels.{name}.experiment"
        if importlib.util.find_spec(declared) is not None:
            found.extend(importlib.import_module(declared).EXPERIMENTS)
    return {e.name: e for e in sorted(found, key=lambda e: (e.order, e.name))}
