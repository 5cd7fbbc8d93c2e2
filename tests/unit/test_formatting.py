"""Numbers as people read them: digits, prefixes, signs, and what stands for a missing value."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from app.web import formatting as f

NOW = datetime(2026, 11, 30, 20, 41, 7, tzinfo=UTC)
S = f.NNBSP


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.5, 3, "0.500"),
        (6.254, 3, "6.25"),
        (25.64, 3, "25.6"),
        (730.4, 3, "730"),
        (9.999, 3, "10.0"),
        (99.96, 3, "100"),
        (0.00012345, 3, "0.000123"),
        (5040.2, 3, "5040"),
        (-1.5, 3, "−1.50"),
        (0, 3, "0"),
        (5.3654, 4, "5.365"),
        (math.nan, 3, "not a number"),
        (math.inf, 3, "∞"),
        (-math.inf, 3, "−∞"),
        (None, 3, "–"),
    ],
)
def test_significant_digits(value: float | None, digits: int, text: str) -> None:
    assert f.significant(value, digits) == text


def test_digits_stop_at_a_tenth_of_the_interval() -> None:
    assert f.significant(5.36543, 6, half_width=0.01) == "5.365"
    assert f.significant(5.36543, 6, half_width=1.0) == "5.4"
    assert f.significant(5.36543, 4, half_width=1e-9) == "5.365"
    assert f.Scale("ms", 1e-3).number(5.36543e-3, 6, half_width=1e-5) == "5.365"


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        ([0.5e12, 36.3e12], "TFLOP/s"),
        ([2e8, 9e8], "MFLOP/s"),
        ([999.9e9], "GFLOP/s"),
        ([1e12], "TFLOP/s"),
        ([None, None], "FLOP/s"),
        ([math.nan, 2e9], "GFLOP/s"),
        ([], "FLOP/s"),
    ],
)
def test_a_column_of_rates_shares_the_largest_prefix(values: list[float | None], unit: str) -> None:
    assert f.rate_scale(values).unit == unit


def test_a_slow_stage_keeps_its_columns_unit() -> None:
    scale = f.rate_scale([0.5e12, 36.3e12])
    assert scale.number(0.5e12) == "0.500"
    assert scale.text(36.3e12) == f"36.3{S}TFLOP/s"
    assert scale.text(None) == "–"


@pytest.mark.parametrize(
    ("format_", "value", "text"),
    [
        (f.duration, 5.3654e-3, f"5.365{S}ms"),
        (f.duration, 0.2749, f"274.9{S}ms"),
        (f.duration, 1.5e-6, f"1.500{S}µs"),
        (f.duration, 3e-10, f"0.3000{S}ns"),
        (f.duration, 12.0, f"12.00{S}s"),
        (f.duration, None, "–"),
        (f.about_seconds, 0.84, f"0.8{S}s"),
        (f.about_seconds, 74.4, f"74{S}s"),
        (f.about_seconds, 125, f"2{S}min 5{S}s"),
        (f.about_seconds, 3780, f"1{S}h 3{S}min"),
        (f.about_seconds, 7200, f"2{S}h"),
        (f.about_seconds, None, "–"),
        (f.rate, 25.6e12, f"25.6{S}TFLOP/s"),
        (f.rate_short, 25.6e12, f"25.6{S}T"),
        (f.bandwidth, 4.257e12, f"4.26{S}TB/s"),
        (f.percent, 0.5432, f"54.3{S}%"),
        (f.percent, 0.00734, f"0.73{S}%"),
        (f.percent, 0.00996, f"1.0{S}%"),
        (f.percent, 0.0, f"0.0{S}%"),
        (f.percent, None, "–"),
        (f.percent_whole, 0.6299, f"62{S}%"),
        (f.percent_whole, 1.0, f"100{S}%"),
        (f.percent_change, 0.031, f"+3.1{S}%"),
        (f.percent_change, -0.005, f"−0.50{S}%"),
        (f.plus_minus, 0.0002, f"±0.02{S}%"),
        (f.plus_minus, None, "–"),
        (f.factor, 1.351, "×1.35"),
        (f.times, 72.6, "73×"),
        (f.times, None, "–"),
        (f.factor_number, 0.94, "0.940"),
        (f.plain, 0.25, "0.25"),
        (f.plain, 32.0, "32"),
        (f.plain, 683.4, "683"),
        (f.plain, 100.0, "100"),
        (f.plain, None, "–"),
        (f.count, 8, "8"),
        (f.count, 922_700_000, f"922.7{S}M"),
        (f.count, 137_438_953_472, f"137.4{S}G"),
        (f.count, None, "–"),
        (f.grouped, 2238, "2,238"),
        (f.clock, 1.98e9, f"1.98{S}GHz"),
        (f.clock, 985e6, f"985{S}MHz"),
        (f.clock, None, "–"),
        (f.small_error, 2.1e-6, "2.1 × 10⁻⁶"),
        (f.small_error, 0.41, "0.41"),
        (f.small_error, 0.0, "0"),
        (f.small_error, math.inf, "∞"),
        (f.bytes_moved, 0, f"0{S}B"),
        (f.bytes_moved, 96, f"96{S}B"),
        (f.bytes_moved, 411.7e6, f"411.7{S}MB"),
        (f.bytes_moved, 4_295_000_000, f"4.295{S}GB"),
        (f.capacity, 60 * 2**20, f"60{S}MiB"),
        (f.capacity, 150_754_820_096, f"140{S}GiB"),
        (f.capacity, None, "–"),
        (f.short_hash, "8f21c0a9d1", "8f21c0a"),
        (f.short_hash, None, "–"),
        (f.dtype_title, "bfloat16", "BF16"),
        (f.roof_title, "dram", "DRAM"),
        (f.dimensions, (128, 64, 1), "128 × 64 × 1"),
        (f.ordinal, 1, "1st"),
        (f.ordinal, 12, "12th"),
        (f.ordinal, 23, "23rd"),
    ],
)
def test_one_value(format_: Callable[..., str], value: object, text: str) -> None:
    assert format_(value) == text


def test_a_true_minus_and_no_negative_zero() -> None:
    assert f.fixed(-0.04, 1) == "0.0"
    assert f.fixed(-1.25, 1) == "−1.2"


def test_time_stamps_are_in_utc_and_ages_stop_at_a_day() -> None:
    assert f.timestamp(NOW) == "30 Nov 2026 20:41 UTC"
    assert f.timestamp(None) == "–"
    assert f.clock_time(NOW) == "20:41:07"
    assert f.age(NOW - timedelta(seconds=12), NOW) == f"12{S}s ago"
    assert f.age(NOW - timedelta(minutes=5, seconds=2), NOW) == f"5{S}min ago"
    assert f.age(NOW - timedelta(hours=23), NOW) == f"23{S}h ago"
    assert f.age(NOW - timedelta(hours=25), NOW) == "29 Nov 2026 19:41 UTC"
    assert f.age(NOW + timedelta(seconds=3), NOW) == f"0{S}s ago"


def test_long_names_lose_their_middle() -> None:
    assert f.shortened("naive", 8) == "naive"
    short = f.shortened("a_kernel_with_a_very_long_template_argument", 20)
    assert len(short) == 20
    assert short.startswith("a_kernel_wit")
    assert short.endswith("rgument")
