"""When sampling of one measurement ends. A criterion sees the samples and the time spent, nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from app.analysis import statistics
from app.domain.child_messages import StopRule
from app.domain.errors import LeftOutFailure
from app.domain.vocabulary import BackendName, CacheState, StopReason

_GROWTH_BEFORE_NEXT_LOOK = 1.1  # the interval is resampled again only when n grew by this factor
PATIENCE = 4  # times the time limit, while there are fewer samples than the rule's least
_NOISE_LOOKS = 5
_NOISE_STEADY_FRACTION = 0.05

_RULES: dict[tuple[BackendName, CacheState], StopRule] = {
    # A GPU's state drifts by half a per cent within tenths of a second: 0.3 s are some fifteen rounds.
    (BackendName.CUDA, CacheState.COLD): StopRule(10, 0.3, 0.005, 5000, 3.0),
    (BackendName.CUDA, CacheState.WARM): StopRule(10, 0.3, 0.005, 5000, 3.0),
    # The whole first CPU benchmark has to end within 45 s, so time ends most CPU measurements.
    (BackendName.CPU, CacheState.COLD): StopRule(10, 0.1, 0.01, 400, 0.4),
    (BackendName.CPU, CacheState.WARM): StopRule(10, 0.1, 0.005, 400, 0.2),
}

# Experiments show effects of tens of per cent over a hundred cells: each gets a tenth of a second.
BRIEF = StopRule(10, 0.03, 0.005, 1000, 0.1)

# A scan gives a cell two seconds of the device, checks and warm-up included: ten launches at the least.
SCAN = StopRule(3, 0.03, 0.005, 1000, 0.1)
SCAN_CELL_S = 2.0
SCAN_LAUNCH_S = 0.2


@dataclass(frozen=True)
class StopRules:
    """The rules of both measurements of a rung, and the one of every other cell."""

    cold: StopRule
    warm: StopRule
    brief: StopRule = BRIEF

    def of(self, cache: CacheState) -> StopRule:
        """The rule for one cache state."""
        return self.cold if cache is CacheState.COLD else self.warm


def default_rules(backend: BackendName) -> StopRules:
    """What is used when nobody asks for anything else."""
    return StopRules(_RULES[backend, CacheState.COLD], _RULES[backend, CacheState.WARM])


def scan_rules() -> StopRules:
    """What a scan uses on every backend."""
    return StopRules(SCAN, SCAN, SCAN)


class StopCriterion:
    """Decides for one series of samples; `ci_fraction` is the relative interval width it last saw."""

    def __init__(self, rule: StopRule, seed: int = 0) -> None:
        self.rule = rule
        self.ci_fraction: float | None = None
        self._seed = seed
        self._next_look_n = rule.min_samples
        self._noise: list[float] = []

    def decide(self, durations_s: list[float], spent_s: float) -> StopReason | None:
        """Why to stop now, or None to go on.

        `spent_s` is the whole time spent on this series, with flushing. The interval and the noise are asked
        only after `min_samples` samples and `min_total_s`.
        """
        n = len(durations_s)
        if n == 0:
            return None
        if n >= self.rule.min_samples and n >= self._next_look_n and spent_s >= self.rule.min_total_s:
            self._look(durations_s)
            if self.ci_fraction is not None and self.ci_fraction <= self.rule.ci_width_fraction:
                return StopReason.CI_REACHED
            if self._is_hopeless(n, spent_s) and self._noise_is_steady():
                return StopReason.NOISE_SETTLED
        if n >= self.rule.max_samples:
            return StopReason.SAMPLE_LIMIT
        return StopReason.TIME_LIMIT if spent_s >= self._longest_s(n) else None

    def _longest_s(self, n: int) -> float:
        """The time limit waits for the least samples, but not for ever."""
        return self.rule.max_total_s * (1 if n >= self.rule.min_samples else PATIENCE)

    def _look(self, durations_s: list[float]) -> None:
        interval = statistics.bootstrap_median_interval(durations_s, seed=self._seed)
        self.ci_fraction = statistics.relative_width(interval, statistics.median(durations_s))
        self._noise.append(statistics.noise_fraction(durations_s) or 0.0)
        self._next_look_n = int(len(durations_s) * _GROWTH_BEFORE_NEXT_LOOK) + 1

    def _is_hopeless(self, n: int, spent_s: float) -> bool:
        """Whether the target needs more samples than the limits leave: width shrinks with the root of n."""
        if self.ci_fraction is None:
            return False
        needed = n * (self.ci_fraction / self.rule.ci_width_fraction) ** 2
        return needed > self.rule.max_samples or needed * spent_s / n > self.rule.max_total_s

    def _noise_is_steady(self) -> bool:
        recent = self._noise[-_NOISE_LOOKS:]
        middle = statistics.median(recent)
        return len(recent) == _NOISE_LOOKS and max(recent) - min(recent) <= _NOISE_STEADY_FRACTION * middle


def require_short(launch_s: float) -> None:
    """LeftOutFailure where one launch takes so long that a scan could not sample it."""
    if launch_s > SCAN_LAUNCH_S:
        raise LeftOutFailure(
            f"One launch takes {launch_s:.2g} s, and a scan gives a whole cell {SCAN_CELL_S:g} s: measure it "
            "in a job of its own, without scan."
        )
