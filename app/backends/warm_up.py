"""Warm-up until the time per launch is steady, by time and not by count."""

from __future__ import annotations

import time
from collections.abc import Callable

_STEADY_FRACTION = 0.02
_LONGEST = 4.0  # times the asked time: a launch that never steadies must not hold up the run


def warm_up(time_launches: Callable[[int], float], until_steady_s: float) -> float:
    """Launch in growing windows for at least `until_steady_s`, until two windows in a row agree within 2 %.

    `time_launches(n)` launches n times and returns seconds per launch. Returns the last such value. Ends
    after four times `until_steady_s` even when unsteady; the first launch is always completed.
    """
    started = time.monotonic()
    launches, before = 1, float("inf")
    while True:
        launch_s = time_launches(launches)
        spent_s = time.monotonic() - started
        steady = abs(launch_s - before) <= _STEADY_FRACTION * launch_s
        if (steady and spent_s >= until_steady_s) or spent_s >= _LONGEST * until_steady_s:
            return launch_s
        before = launch_s
        # A window grows to a tenth of the warm-up, so that short launches do not cost a call each.
        launches = max(1, min(2 * launches, int(until_steady_s / 10 / max(launch_s, 1e-9))))
