"""The time left of a running job: from what is expected, corrected by groups of cells that are over."""

from __future__ import annotations

import pytest

from app.domain.measurement import CellKey
from app.jobs.durations import Durations
from app.jobs.pace import Pace
from tests import examples

STAGES = ("naive", "reordered", "blas")
SMALL, LARGE = (tuple(examples.key(stage, edge) for stage in STAGES) for edge in (256, 1024))
EXPECTED = Durations(
    10.0, {**dict.fromkeys(SMALL, 5.0), **dict.fromkeys(LARGE, 20.0)}
)  # 10 s of start, groups of 15 s and 60 s


def pace(*remaining: CellKey) -> Pace:
    return Pace(EXPECTED, remaining or (*SMALL, *LARGE), now_s=0.0)


def end(of: Pace, cells: tuple[CellKey, ...], now_s: float) -> None:
    for cell in cells:
        of.cell_ended(cell, now_s)


def test_the_time_left_goes_down_by_the_second() -> None:
    job = pace()
    assert job.eta_s(0.0) == pytest.approx(85.0)
    assert job.eta_s(4.0) == pytest.approx(81.0)
    job.cell_started(10.0)
    assert job.eta_s(10.0) == pytest.approx(75.0)
    assert job.eta_s(20.0) == pytest.approx(65.0)


def test_a_cell_left_out_at_once_says_nothing_about_the_others() -> None:
    job = pace()
    end(job, SMALL[:1], 10.0)
    assert job.eta_s(11.0) == pytest.approx(74.0)


def test_a_group_that_took_twice_as_long_doubles_what_is_left() -> None:
    job = pace()
    job.cell_started(10.0)
    end(job, SMALL, 40.0)
    assert job.eta_s(40.0) == pytest.approx(120.0)
    end(job, LARGE, 160.0)
    assert job.eta_s(160.0) == 0.0


def test_work_that_is_overdue_is_never_said_to_end_now() -> None:
    job = pace(*LARGE)
    assert job.eta_s(200.0) == pytest.approx(80.0)
    job.cell_started(200.0)
    assert job.eta_s(300.0) == pytest.approx(10.0)


def test_only_what_this_attempt_has_to_measure_counts() -> None:
    assert pace(*LARGE).eta_s(0.0) == pytest.approx(70.0)
    assert pace(LARGE[0]).eta_s(0.0) == pytest.approx(30.0)


def test_the_wait_for_the_device_is_not_work() -> None:
    job = pace()
    job.begin(50.0)
    assert job.eta_s(51.0) == pytest.approx(84.0)
