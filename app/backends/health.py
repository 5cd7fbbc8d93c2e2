"""Whether a measurement may stand as a baseline. Unhealthy ones are kept, marked and explained."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.analysis import statistics
from app.domain.device import DeviceState
from app.domain.measurement import Roof
from app.domain.vocabulary import Health, Provenance

THROTTLED_FRACTION = 0.1  # of the readings; a single one is a blip
# A micro-benchmark finds what was reached, not what is possible; a data sheet figure is a hard limit.
_MEASURED_ROOF_MARGIN = 1.05
_DATASHEET_ROOF_MARGIN = 1.0
_FAR_BELOW = 10.0  # a neighbour may slow the warm-up, but not tenfold
_SHORTEST_JUDGED_S = 20e-6  # a shorter launch is mostly its own start
_FAR_ABOVE, _START_UP_S = 50.0, 5e-3  # cold caches cost less than either


@dataclass(frozen=True)
class HeldState:
    """Medians of the readings taken while one measurement was sampled. None: not readable here."""

    sm_clock_hz: float | None = None
    memory_clock_hz: float | None = None
    power_w: float | None = None
    temperature_c: float | None = None


def held_state(states: Sequence[DeviceState]) -> HeldState:
    """Median of each reading over `states`, ignoring readings that were not available."""
    return HeldState(
        _median(s.sm_clock_hz for s in states),
        _median(s.memory_clock_hz for s in states),
        _median(s.power_w for s in states),
        _median(s.temperature_c for s in states),
    )


def impossible_samples(durations_s: Sequence[float]) -> tuple[str, ...]:
    """Reasons to quarantine samples that no clock can give."""
    bad = [d for d in durations_s if not math.isfinite(d) or d <= 0]
    if not bad:
        return ()
    return (f"{len(bad)} of {len(durations_s)} samples are not a positive duration (first: {bad[0]} s)",)


def beside_the_kernel(median_s: float, launch_s: float) -> tuple[str, ...]:
    """A reason to quarantine a time far from a steady launch's: the window held less, or more, than it."""
    if launch_s > _SHORTEST_JUDGED_S and median_s < launch_s / _FAR_BELOW:
        return (
            f"{median_s * 1e6:.3g} µs a sample where a launch takes {launch_s * 1e6:.3g} µs: the clock "
            "stopped before the kernel did; synchronise before reading it",
        )
    if median_s > _FAR_ABOVE * launch_s and median_s - launch_s > _START_UP_S:
        return (
            f"{median_s * 1e3:.3g} ms a sample where a steady launch takes {launch_s * 1e3:.3g} ms: "
            "compiling, loading or the context lie in the window; launch once before timing",
        )
    return ()


def above_roof(rate: float, roof: Roof | None) -> tuple[str, ...]:
    """A reason to quarantine a rate above its roof: over the data sheet, or 5 % over a measured roof."""
    if roof is None:
        return ()
    exact = roof.source is Provenance.DATASHEET
    if rate <= roof.value * (_DATASHEET_ROOF_MARGIN if exact else _MEASURED_ROOF_MARGIN):
        return ()
    verdict = (
        "more than the device can do" if exact else "the roof was measured too low or the time too short"
    )
    return (f"{rate / roof.value:.1%} of the {roof.source} {roof.name} roof: {verdict}",)


def assess(states: Sequence[DeviceState], impossible: Sequence[str]) -> tuple[Health, tuple[str, ...]]:
    """Health and every reason for it; a physical impossibility outweighs the device's own state."""
    throttled = _throttle_reasons(states)
    foreign = tuple(dict.fromkeys(name for s in states for name in s.foreign_processes))
    reasons = (
        *impossible,
        *(f"shared the device with {name}" for name in foreign),
        *(f"throttled: {name}" for name in throttled),
    )
    if impossible:
        return Health.QUARANTINED, reasons
    if foreign:
        return Health.FOREIGN_PROCESS, reasons
    if throttled:
        return Health.THROTTLED, reasons
    if all(s.sm_clock_hz is None for s in states):
        return Health.UNKNOWN, ("the clock held is not readable here",)
    return Health.OK, ()


def _throttle_reasons(states: Sequence[DeviceState]) -> list[str]:
    names = dict.fromkeys(name for s in states for name in s.throttle_reasons)
    return [
        name
        for name in names
        if sum(name in s.throttle_reasons for s in states) > THROTTLED_FRACTION * len(states)
    ]


def _median(values: Iterable[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return statistics.median(known) if known else None
