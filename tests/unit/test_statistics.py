"""Every statistic against values worked out by hand or known in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.analysis import statistics as st


def test_median_of_odd_and_even_n() -> None:
    assert st.median([3.0, 1.0, 2.0]) == 2.0
    assert st.median([4.0, 1.0, 3.0, 2.0]) == 2.5
    assert st.median([7.0]) == 7.0


def test_mad_ignores_one_wild_value() -> None:
    assert st.median_absolute_deviation([1.0, 2.0, 3.0, 4.0, 1000.0]) == 1.0


def test_quantiles_are_not_swapped_and_interpolate() -> None:
    samples = [float(x) for x in range(101)]
    assert st.quantile(samples, 0.05) == 5.0
    assert st.quantile(samples, 0.95) == 95.0
    assert st.quantile([0.0, 1.0], 0.25) == 0.25
    assert st.quantile(samples, 0.0) == min(samples)
    assert st.quantile(samples, 1.0) == max(samples)


def test_noise_is_the_normal_sigma_over_the_median() -> None:
    samples = list(np.random.default_rng(3).normal(100.0, 2.0, 20_000))
    noise = st.noise_fraction(samples)
    assert noise is not None
    assert math.isclose(noise, 0.02, rel_tol=0.05)


def test_noise_needs_five_samples_and_a_positive_median() -> None:
    assert st.noise_fraction([1.0, 2.0, 3.0, 4.0]) is None
    assert st.noise_fraction([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx(1.4826 / 3, rel=1e-4)
    assert st.noise_fraction([0.0] * 9) is None


def test_interval_of_small_n_is_not_given() -> None:
    assert st.bootstrap_median_interval([1.0] * 5) is None
    assert st.bootstrap_median_interval([1.0] * 6) == st.Interval(1.0, 1.0)


def test_interval_is_seeded_and_orders_its_ends() -> None:
    samples = list(np.random.default_rng(5).normal(10.0, 1.0, 50))
    first = st.bootstrap_median_interval(samples, seed=1)
    assert first == st.bootstrap_median_interval(samples, seed=1)
    assert first is not None
    assert first.low < st.median(samples) < first.high


def test_interval_does_not_depend_on_the_size_of_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = list(np.random.default_rng(6).normal(10.0, 1.0, 40))
    whole = st.bootstrap_median_interval(samples)
    monkeypatch.setattr(st, "_CHUNK_VALUES", 7 * 40)
    assert st.bootstrap_median_interval(samples) == whole


def test_interval_covers_the_true_median_about_95_times_in_100() -> None:
    generator = np.random.default_rng(11)
    covered = 0
    for _ in range(400):
        interval = st.bootstrap_median_interval(list(generator.exponential(1.0, 31)), resamples=400)
        assert interval is not None
        covered += interval.low <= math.log(2) <= interval.high
    assert 0.91 <= covered / 400 <= 0.98


def test_interval_narrows_with_the_root_of_n() -> None:
    values = np.random.default_rng(13).normal(100.0, 5.0, 1600)
    small = st.bootstrap_median_interval(list(values[:100]))
    large = st.bootstrap_median_interval(list(values))
    assert small is not None
    assert large is not None
    assert 2.5 < small.width / large.width < 6.5


def test_relative_width() -> None:
    assert st.relative_width(st.Interval(9.0, 11.0), 10.0) == pytest.approx(0.2)
    assert st.relative_width(None, 10.0) is None
    assert st.relative_width(st.Interval(0.0, 0.0), 0.0) is None


def test_summary_keeps_every_sample_and_does_not_round() -> None:
    samples = [0.1234567890123, *([0.2] * 8), 9.0]
    summary = st.summarise(samples)
    assert (summary.n, summary.median, summary.mad) == (10, 0.2, 0.0)
    assert st.summarise(samples[:1]).median == 0.1234567890123
    assert summary.p95 > 0.2


def test_zero_samples_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="zero samples"):
        st.summarise([])
