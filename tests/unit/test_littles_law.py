"""Little's law by the lectures' own example, an A100 at 400 ns."""

from __future__ import annotations

import pytest

from app.analysis.littles_law import bytes_in_flight, warps_needed

A100 = (2039e9, 400e-9, 108)


def test_an_a100_keeps_816_kilobytes_in_flight() -> None:
    assert bytes_in_flight(2039e9, 400e-9) == pytest.approx(815_600)
    assert bytes_in_flight(2039e9, 400e-9) / 108 == pytest.approx(7552, abs=1)


@pytest.mark.parametrize(("bytes_per_lane", "warps"), [(16, 15), (4, 59)])
def test_wide_loads_need_fewer_warps(bytes_per_lane: int, warps: int) -> None:
    bandwidth, latency, count = A100
    assert warps_needed(bandwidth, latency, count, bytes_per_lane) == warps
