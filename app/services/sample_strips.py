"""Raw samples as deviations from their own median, thinned for drawing, with a second mode named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from app.domain.measurement import Samples
from app.services.ladder_rows import LadderRow, LadderView

MOST_DRAWN = 400
SMALLEST_MODE_SHARE = 0.1
GAP_OVER_SPREAD = 4.0


@dataclass(frozen=True)
class SampleStrip:
    """One stage. Deviations are fractions of the median: 0.01 is 1 % slower."""

    row: LadderRow
    ladder: LadderView
    size_key: str
    dtype: str
    deviations: tuple[float, ...]  # evenly thinned
    n: int
    p5: float
    p95: float
    ci_low: float | None
    ci_high: float | None
    second_mode: float | None
    second_mode_clock_hz: float | None

    @property
    def half_interval(self) -> float | None:
        """Half width of the 95 % interval of the median."""
        if self.ci_low is None or self.ci_high is None:
            return None
        return (self.ci_high - self.ci_low) / 2


def sample_strips(ladder: LadderView, samples: Sequence[Samples]) -> tuple[SampleStrip, ...]:
    """A strip for each rung, in ladder order; empty ones for rungs without samples."""
    found = {
        s.key.stage: s
        for s in samples
        if s.key.problem == ladder.problem
        and s.key.size == ladder.size
        and s.key.dtype == ladder.dtype
        and s.cache == ladder.cache
    }
    return tuple(_strip(ladder, row, found.get(row.stage)) for row in ladder.rows)


def _strip(ladder: LadderView, row: LadderRow, samples: Samples | None) -> SampleStrip:
    shown = row.shown
    if shown is None or samples is None or not samples.durations_s:
        return SampleStrip(row, ladder, ladder.size.key, ladder.dtype, (), 0, 0, 0, None, None, None, None)
    centre = shown.median_s
    deviations = [duration / centre - 1 for duration in samples.durations_s]
    mode, clock = _second_mode(deviations, samples.sm_clock_hz)
    return SampleStrip(
        row=row,
        ladder=ladder,
        size_key=ladder.size.key,
        dtype=ladder.dtype,
        deviations=_thinned(deviations),
        n=len(deviations),
        p5=shown.p5_s / centre - 1,
        p95=shown.p95_s / centre - 1,
        ci_low=None if shown.ci_low_s is None else shown.ci_low_s / centre - 1,
        ci_high=None if shown.ci_high_s is None else shown.ci_high_s / centre - 1,
        second_mode=mode,
        second_mode_clock_hz=clock,
    )


def _thinned(deviations: Sequence[float]) -> tuple[float, ...]:
    """At most `MOST_DRAWN`, every so-many-th in time order."""
    step = max(-(-len(deviations) // MOST_DRAWN), 1)
    return tuple(deviations[::step])


def _second_mode(
    deviations: Sequence[float], clocks: Sequence[float | None]
) -> tuple[float | None, float | None]:
    """Centre of a second cluster and its clock: split at the widest gap, if it is wide against both sides."""
    order = sorted(range(len(deviations)), key=deviations.__getitem__)
    if len(order) < 20:
        return None, None
    least = max(round(len(order) * SMALLEST_MODE_SHARE), 2)
    cuts = range(least, len(order) - least)
    cut = max(cuts, key=lambda i: deviations[order[i]] - deviations[order[i - 1]], default=0)
    low, high = order[:cut], order[cut:]
    if not low:
        return None, None
    gap = deviations[high[0]] - deviations[low[-1]]
    spread = max(_spread([deviations[i] for i in side]) for side in (low, high))
    if gap <= GAP_OVER_SPREAD * spread:
        return None, None
    smaller = min(low, high, key=len)
    held = [c for i, c in enumerate(clocks) if i in set(smaller) and c is not None]
    return median(deviations[i] for i in smaller), median(held) if held else None


def _spread(values: Sequence[float]) -> float:
    centre = median(values)
    return median(abs(value - centre) for value in values) or 1e-9
