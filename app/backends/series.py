"""The samples of one measurement while they are taken: raw, in order, none dropped."""

from __future__ import annotations

import time
from collections.abc import Callable

from app.analysis import statistics
from app.backends.stopping import StopCriterion
from app.domain.child_messages import StopRule
from app.domain.device import DeviceState
from app.domain.measurement import CellKey, Samples
from app.domain.vocabulary import CacheState, Regime, StopReason


class Series:
    """One cell in one cache state. `stop_reason` is None while more samples are wanted."""

    def __init__(
        self, key: CellKey, cache: CacheState, rule: StopRule, take: Callable[[], float], launches: int
    ) -> None:
        self.key = key
        self.cache = cache
        self.regime = Regime.SINGLE if cache is CacheState.COLD else Regime.BURST
        self.launches = launches
        self.durations_s: list[float] = []
        self.clocks_hz: list[float | None] = []
        self.states: list[DeviceState] = []
        self.stop_reason: StopReason | None = None
        self.criterion = StopCriterion(rule)
        self._take = take
        self._spent_s = 0.0
        self._reported = 0

    @property
    def median_s(self) -> float:
        """Median of every sample so far."""
        return statistics.median(self.durations_s)

    def resume(self, prior: Samples) -> None:
        """Go on from samples that an earlier process took; what they cost is known only in part."""
        self.durations_s.extend(prior.durations_s)
        clocks = prior.sm_clock_hz or (None,) * len(prior.durations_s)
        self.clocks_hz.extend(clocks)
        self._spent_s = sum(prior.durations_s) * self.launches
        self._reported = len(self.durations_s)

    def take_slice(self, slice_s: float) -> None:
        """Take samples for about `slice_s` seconds, at least one, or until the rule says stop."""
        started = now = time.monotonic()
        while self.stop_reason is None and (now == started or now - started < slice_s):
            self.durations_s.append(self._take())
            before, now = now, time.monotonic()
            self._spent_s += now - before
            self.stop_reason = self.criterion.decide(self.durations_s, self._spent_s)

    def add_states(self, states: tuple[DeviceState, ...], clock_hz: float | None) -> None:
        """Join what the device did during the last slice to its samples."""
        self.states.extend(states)
        self.clocks_hz.extend([clock_hz] * (len(self.durations_s) - len(self.clocks_hz)))

    def unreported(self) -> Samples:
        """Samples since the last call of this."""
        start, self._reported = self._reported, len(self.durations_s)
        return self._slice(start)

    def all_samples(self) -> Samples:
        """Every sample so far."""
        return self._slice(0)

    def _slice(self, start: int) -> Samples:
        return Samples(
            self.key,
            self.cache,
            self.regime,
            tuple(self.durations_s[start:]),
            tuple(self.clocks_hz[start : len(self.durations_s)]),
        )
