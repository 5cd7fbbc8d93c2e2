"""From a finished series to the measurement that is stored."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.analysis import statistics
from app.backends import health
from app.backends.backend import PreparedCell
from app.backends.judging import Verdict, judge
from app.backends.series import Series
from app.domain.device import Device
from app.domain.errors import StageFailure
from app.domain.measurement import Ceiling, Correctness, Measurement
from app.domain.vocabulary import Arithmetic, CacheState, StopReason
from app.kernels.stage import Cost, Stage

# Below this many times the last-level cache, output may still lie in it when the clock stops.
_CACHES_BEFORE_DRAM_LIMITS = 4


@dataclass(frozen=True)
class Roofs:
    """What the device can do: its attributes and the ceilings of this run."""

    device: Device
    ceilings: Sequence[Ceiling]


def measurement(
    series: Series,
    stage: Stage,
    cell: PreparedCell,
    correctness: Correctness,
    roofs: Roofs,
    launch_s: float,
) -> Measurement:
    """Summarise, judge by the roof and by the device's state. StageFailure where no sample is usable.

    `launch_s` is what a steady launch took during the warm-up.

    Impossible samples stay among the raw ones and quarantine the measurement; its statistics are over
    the possible ones.
    """
    possible = [d for d in series.durations_s if math.isfinite(d) and d > 0]
    if not possible:
        raise StageFailure(
            f"None of {len(series.durations_s)} {series.cache} samples is a positive duration: "
            "there is no time to state. Run the job again."
        )
    summary = statistics.summarise(possible)
    held = health.held_state(series.states)
    cost = stage.cost(series.key.size, series.key.dtype)
    verdict = judge(stage, cost, roofs.ceilings, roofs.device, summary.median, held.sm_clock_hz)
    impossible = health.impossible_samples(series.durations_s)
    impossible += health.beside_the_kernel(summary.median, launch_s)
    if _roof_binds(series, stage, cost, roofs.device):
        impossible += health.above_roof(_rate(cost, verdict, summary.median), verdict.roof)
    condition, reasons = health.assess(series.states, impossible)
    interval = summary.interval
    return Measurement(
        key=series.key,
        reference=stage.reference,
        arithmetic=stage.arithmetic,
        cache=series.cache,
        regime=series.regime,
        median_s=summary.median,
        mad_s=summary.mad,
        ci_low_s=interval.low if interval else None,
        ci_high_s=interval.high if interval else None,
        p5_s=summary.p5,
        p95_s=summary.p95,
        n=summary.n,
        noise_fraction=summary.noise_fraction,
        launches_per_sample=series.launches,
        stop_reason=series.stop_reason or StopReason.TIME_LIMIT,
        flop=cost.flop,
        least_dram_bytes=cost.least_dram_bytes,
        health=condition,
        health_reasons=reasons,
        correctness=correctness,
        recipe=cell.recipe,
        compiler=cell.compiler,
        sm_clock_hz=held.sm_clock_hz,
        memory_clock_hz=held.memory_clock_hz,
        power_w=held.power_w,
        temperature_c=held.temperature_c,
        roof=verdict.roof,
        roof_fraction_boost=verdict.fraction_boost,
        roof_fraction_held=verdict.fraction_held,
    )


def require_possible(cost: Cost, stage: Stage) -> None:
    """StageFailure for a count of FLOP that cannot be: every rate and fraction would rest on it."""
    if cost.flop < 0 or (cost.flop == 0 and stage.arithmetic is not Arithmetic.NONE):
        raise StageFailure(
            f"Counts {cost.flop:,} FLOP a launch: a 32-bit integer overflowed (2·N³ reaches 2³¹ "
            "at N = 1024). Count in 64 bits."
        )


def with_check_after(before: Correctness, after: Correctness) -> Correctness:
    """Both checks as one: the larger error, and the words of whichever failed."""
    errors = [e for e in (before.max_relative_error, after.max_relative_error) if e is not None]
    return dataclasses.replace(
        before,
        passed_after=after.passed_before,
        max_relative_error=max(errors) if after.max_relative_error is not None else None,
        detail=before.detail or (f"after timing: {after.detail}" if after.detail else ""),
    )


def _rate(cost: Cost, verdict: Verdict, duration_s: float) -> float:
    by_bytes = verdict.roof is not None and verdict.roof.unit == "bytes_per_s"
    return (cost.least_dram_bytes if by_bytes else cost.flop) / duration_s


def _roof_binds(series: Series, stage: Stage, cost: Cost, device: Device) -> bool:
    """Arithmetic cannot be hidden; bytes can, in a cache that is warm or large enough for the output."""
    if stage.arithmetic is not Arithmetic.NONE:
        return True
    cache_bytes = device.l2_bytes or 0
    return series.cache is CacheState.COLD and (
        cost.least_dram_bytes >= _CACHES_BEFORE_DRAM_LIMITS * cache_bytes
    )
