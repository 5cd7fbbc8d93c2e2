"""The stop rules on series whose spread is known."""

from __future__ import annotations

import numpy as np
import pytest

from app.backends.stopping import StopCriterion, default_rules
from app.domain.child_messages import StopRule
from app.domain.vocabulary import BackendName, CacheState, StopReason


def feed(rule: StopRule, samples: list[float], cost: float = 1.0) -> tuple[StopReason | None, int]:
    """Reason and n at the stop; each sample costs `cost` times its duration."""
    criterion = StopCriterion(rule)
    seen: list[float] = []
    for sample in samples:
        seen.append(sample)
        reason = criterion.decide(seen, sum(seen) * cost)
        if reason is not None:
            return reason, len(seen)
    return None, len(seen)


def normal(centre: float, spread: float, n: int) -> list[float]:
    return list(np.random.default_rng(1).normal(centre, spread, n))


def test_no_samples_never_stop() -> None:
    assert StopCriterion(StopRule()).decide([], 99.0) is None


def test_a_perfect_series_still_takes_the_least_samples() -> None:
    assert feed(StopRule(max_total_s=1e9), [1.0] * 50) == (StopReason.CI_REACHED, 10)


def test_a_perfect_series_still_takes_the_least_time() -> None:
    reason, n = feed(StopRule(min_total_s=0.1), [0.001] * 500)
    assert reason is StopReason.CI_REACHED
    assert n == pytest.approx(100, abs=1)


def test_interval_ends_a_quiet_series_before_the_limits() -> None:
    reason, n = feed(StopRule(max_total_s=1e9), normal(1.0, 0.005, 2000))
    assert reason is StopReason.CI_REACHED
    assert 10 <= n < 200


def test_steady_noise_that_cannot_reach_the_target_ends_early() -> None:
    reason, n = feed(StopRule(max_total_s=1e9), normal(1.0, 0.3, 2000))
    assert reason is StopReason.NOISE_SETTLED
    assert n < 2000


def test_a_reachable_target_is_not_given_up() -> None:
    reason, _ = feed(StopRule(max_total_s=1e9, max_samples=100_000), normal(1.0, 0.03, 2000))
    assert reason is StopReason.CI_REACHED


def test_time_counts_what_flushing_costs() -> None:
    reason, n = feed(StopRule(max_total_s=1.0), normal(0.001, 0.0005, 2000), cost=100.0)
    assert (reason, n < 20) == (StopReason.TIME_LIMIT, True)


def test_the_time_limit_waits_for_the_least_samples_but_not_for_ever() -> None:
    assert feed(StopRule(max_total_s=3.0), normal(1.0, 0.1, 50)) == (StopReason.TIME_LIMIT, 10)
    assert feed(StopRule(max_total_s=3.0), [4.0] * 50) == (StopReason.TIME_LIMIT, 3)


def test_sample_limit() -> None:
    rule = StopRule(min_total_s=1e9, max_samples=30, max_total_s=1e9)
    assert feed(rule, normal(1.0, 0.1, 100)) == (StopReason.SAMPLE_LIMIT, 30)


def test_every_backend_has_rules_for_both_cache_states() -> None:
    for backend in BackendName:
        rules = default_rules(backend)
        assert rules.of(CacheState.COLD) is rules.cold
        assert rules.of(CacheState.WARM) is rules.warm
        assert rules.cold.min_samples == rules.warm.min_samples == 10
