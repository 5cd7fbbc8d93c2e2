"""The rows of a ladder from synthetic runs: order, parents, steps, claims, and what has no number."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.domain.measurement import Ceiling
from app.domain.run import Run
from app.domain.vocabulary import CacheState, CellStatus, Health, Level, Provenance, RunStatus, Verdict
from app.services.ladder_rows import LadderChoice, LadderView, ladder_of
from app.services.ladder_sorting import Sorting, sorted_rows, sorting
from app.services.roofline_points import IntensityView, roofline
from app.services.sample_strips import sample_strips
from tests import ladders


def ladder(run: Run, **choice: str) -> LadderView:
    found = ladder_of(run, LadderChoice(**choice))  # type: ignore[arg-type]
    assert found is not None
    return found


def test_rungs_are_numbered_by_position_and_the_library_comes_last() -> None:
    rows = ladder(ladders.gpu_run()[0]).rows
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, None]
    assert rows[-1].reference
    assert [row.stage for row in rows][:2] == ["naive", "coalesced"]


def test_a_step_is_over_the_parent_not_over_the_row_above() -> None:
    view = ladder(ladders.cpu_run((256,))[0])
    reordered = view.row("reordered")
    assert reordered is not None
    assert (reordered.parent, reordered.parent_is_above) == ("naive", False)
    assert reordered.step == pytest.approx(6.0 / 0.4, rel=0.01)


def test_a_failed_parent_is_passed_over_for_its_own() -> None:
    run = ladders.without(ladders.cpu_run((256,))[0], "cache_blocked", CellStatus.FAILED, "killed")
    row = ladder(run).row("register_blocked")
    failed = ladder(run).row("cache_blocked")
    assert row is not None
    assert failed is not None
    assert row.parent == "reordered"
    assert (failed.rank, failed.rate, failed.reason) == (4, None, "killed")


def test_the_size_with_most_rungs_is_shown_first_and_the_largest_among_equals() -> None:
    assert ladder(ladders.cpu_run((256, 512, 1024))[0]).size_title == "512³"
    assert ladder(ladders.cpu_run((256, 512))[0], size_key="m=256,n=256,k=256").size_title == "256³"


def test_waiting_rungs_stand_in_a_running_run_only() -> None:
    run, _ = ladders.cpu_run((256,))
    started = replace(
        run, summary=replace(run.summary, status=RunStatus.RUNNING), measurements=(), outcomes=()
    )
    assert {row.status for row in ladder(started).rows} == {None}
    assert len(ladder(started).rows) == 7
    ended = replace(started, summary=replace(run.summary, status=RunStatus.CANCELLED))
    assert ladder(ended).rows == ()


def test_warm_rows_are_judged_by_warm_numbers() -> None:
    run, _ = ladders.gpu_run((1024,))
    cold, warm = ladder(run).best, ladder_of(run, LadderChoice(cache=CacheState.WARM))
    assert cold is not None
    assert warm is not None
    assert warm.best is not None
    assert warm.best.rate == pytest.approx(1.04 * (cold.rate or 0), rel=0.01)


def test_a_claim_is_held_against_the_share_of_the_roof() -> None:
    row = ladder(ladders.gpu_run()[0]).row("double_buffer")
    assert row is not None
    assert row.claim is not None
    assert row.claim.verdict is Verdict.DOES_NOT_HOLD
    assert row.claim.here_fraction == pytest.approx(35 / 66.9, rel=0.01)


def test_a_quarantined_number_is_shown_but_nothing_is_derived_from_it() -> None:
    run, _ = ladders.gpu_run((1024,))
    measurements = tuple(
        replace(m, health=Health.QUARANTINED) if m.key.stage == "double_buffer" else m
        for m in run.measurements
    )
    view = ladder(replace(run, measurements=measurements))
    assert view.best is not None
    assert view.best.stage == "register_tile"
    marked = [point.row.stage for point in roofline(view).points if point.above_roof]
    assert marked == ["double_buffer"]


def test_least_traffic_puts_all_rungs_in_one_column_and_their_own_algebra_does_not() -> None:
    view = ladder(ladders.gpu_run()[0])
    least = {round(p.intensity, 6) for p in roofline(view).points}
    own = {round(p.intensity, 6) for p in roofline(view, IntensityView.NO_CACHE).points}
    assert least == {round(4096 / 6, 6)}
    assert len(own) > 2
    assert min(own) == pytest.approx(0.25)


def test_a_level_s_view_has_that_level_s_roof_and_the_stages_that_ask_it_for_bytes() -> None:
    run = ladders.gpu_run()[0]
    shared = Ceiling("shared_read", "Shared", "bandwidth", 31e12, Provenance.MEASURED)
    view = ladder(replace(run, ceilings=(*run.ceilings, shared)))
    near = roofline(view, IntensityView.SHARED)
    by_stage = {p.row.stage: p.intensity for p in near.points}
    asked = {row.stage: row.cost.intensity(Level.SHARED) for row in view.rows if row.cost and row.shown}
    assert by_stage == {stage: value for stage, value in asked.items() if value}
    assert "block_tile" in by_stage
    assert "naive" not in by_stage
    assert near.ridge == pytest.approx(64.8 / 31)
    asked_of_l2 = {p.row.stage: p.intensity for p in roofline(view, IntensityView.L2).points}
    assert asked_of_l2["naive"] == pytest.approx(0.25)
    assert roofline(view, IntensityView.L2).ridge is None, "no roof of the L2 cache was measured"
    assert roofline(view).ridge == pytest.approx(64.8 / 4.26)


@pytest.mark.parametrize(("order", "first"), [("asc", "naive"), ("desc", "cublas")])
def test_the_table_is_sorted_by_a_column_with_missing_values_last(order: str, first: str) -> None:
    run = ladders.without(ladders.gpu_run()[0], "coalesced", CellStatus.FAILED, "killed")
    rows = sorted_rows(ladder(run).rows, sorting("achieved", order))
    assert rows[0].stage == first
    assert rows[-1].stage == "coalesced"


def test_an_unknown_column_keeps_ladder_order() -> None:
    rows = ladder(ladders.gpu_run()[0]).rows
    assert sorting("secret", "desc") == Sorting()
    assert sorted_rows(rows, Sorting("secret")) == rows


def test_strips_are_thinned_evenly_and_a_second_mode_is_named() -> None:
    run, samples = ladders.gpu_run((1024,))
    view = ladder(run)
    assert [s.row.stage for s in sample_strips(view, samples)] == [row.stage for row in view.rows]
    slow = 1.5 * samples[0].durations_s[0]
    many = replace(samples[0], durations_s=samples[0].durations_s * 20 + (slow,) * 200, sm_clock_hz=())
    strip = sample_strips(view, [many])[0]
    assert strip.n == 1020
    assert len(strip.deviations) <= 400
    assert strip.second_mode == pytest.approx(0.5, abs=0.01)
    assert strip.second_mode_clock_hz is None
