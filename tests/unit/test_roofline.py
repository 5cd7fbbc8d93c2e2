"""The roofline against the figures of two real cards."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis import roofline

A100_BANDWIDTH, A100_FP32 = 2039e9, 19.5e12
RATES = st.floats(min_value=1e6, max_value=1e16)


def test_ridge_point_of_an_a100() -> None:
    assert roofline.ridge_point_flop_per_byte(A100_BANDWIDTH, A100_FP32) == pytest.approx(9.56, abs=0.005)


def test_datasheet_peaks_of_an_h200() -> None:
    assert roofline.fp32_peak_flop_per_s(132, 1.98e9) == pytest.approx(66.9e12, rel=1e-3)
    assert roofline.dram_peak_bytes_per_s(3201e6, 6016) == pytest.approx(4.814e12, rel=1e-3)


def test_an_a100_has_half_the_lanes() -> None:
    assert roofline.fp32_peak_flop_per_s(108, 1.41e9, lanes=64) == pytest.approx(19.5e12, rel=2e-3)


@given(intensity=st.floats(min_value=1e-6, max_value=1e6), bandwidth=RATES, compute=RATES)
def test_the_attainable_rate_is_under_both_roofs(intensity: float, bandwidth: float, compute: float) -> None:
    rate = roofline.attainable_flop_per_s(intensity, bandwidth, compute)
    assert rate in (compute, intensity * bandwidth)
    assert rate <= compute
    assert rate <= intensity * bandwidth


@given(bandwidth=RATES, compute=RATES)
def test_the_roofs_meet_at_the_ridge(bandwidth: float, compute: float) -> None:
    ridge = roofline.ridge_point_flop_per_byte(bandwidth, compute)
    assert math.isclose(roofline.attainable_flop_per_s(ridge, bandwidth, compute), compute, rel_tol=1e-12)


def test_matmul_is_judged_by_arithmetic_and_a_copy_by_bandwidth() -> None:
    assert not roofline.is_memory_bound(2 * 4096**3, 12 * 4096**2, A100_BANDWIDTH, A100_FP32)
    assert roofline.is_memory_bound(0, 8, A100_BANDWIDTH, A100_FP32)
    assert roofline.is_memory_bound(2 * 4096**2, 4 * (4096**2 + 2 * 4096), A100_BANDWIDTH, A100_FP32)  # k = 1


def test_a_compute_roof_falls_with_the_clock() -> None:
    assert roofline.roof_at_clock(A100_FP32, stated_at_hz=1.41e9, held_hz=1.128e9) == pytest.approx(15.6e12)


def test_moving_nothing_is_never_memory_bound() -> None:
    assert not roofline.is_memory_bound(2, 0, A100_BANDWIDTH, A100_FP32)
