"""Which of several ways to do one thing is the fastest here: timed briefly, in rounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import median

from app.domain.errors import NotOnThisDeviceFailure, StageFailure

_ROUNDS = 3
_WINDOW_S = 2e-3
_MOST_LAUNCHES = 20

Launch = Callable[[], None]


def fastest(
    launches: Sequence[Launch],
    *,
    run: Callable[[Launch], None],
    seconds_per_launch: Callable[[Launch, int], float],
) -> int:
    """Index of the launch with the least median time over rounds of about 2 ms each.

    run(launch) does it once and waits, so that what it loads is loaded before it is timed. A launch that
    fails leaves the contest. Raises its StageFailure where all fail, NotOnThisDeviceFailure without any.
    """
    able: dict[int, int] = {}
    failure: StageFailure | None = None
    for index, launch in enumerate(launches):
        try:
            run(launch)
            able[index] = _count(seconds_per_launch(launch, 1))
        except StageFailure as error:
            failure = error
    if not able:
        raise failure or NotOnThisDeviceFailure("The library knows no algorithm for this product.")
    times: dict[int, list[float]] = {index: [] for index in able}
    for _ in range(_ROUNDS):
        for index, count in able.items():
            times[index].append(seconds_per_launch(launches[index], count))
    return min(times, key=lambda index: median(times[index]))


def _count(launch_s: float) -> int:
    return max(1, min(_MOST_LAUNCHES, math.ceil(_WINDOW_S / max(launch_s, 1e-9))))
