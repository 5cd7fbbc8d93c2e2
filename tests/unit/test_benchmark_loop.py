"""The measuring loop on recorded samples: order, stop, outcomes, resumption."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.backends.replay import Recording, ReplayBackend
from app.backends.session import run_plan
from app.domain.child_messages import (
    CellEnded,
    CellStarted,
    ChildMessage,
    Done,
    Measured,
    Plan,
    Probed,
    RoundDone,
    SourceUsed,
    StopRule,
)
from app.domain.device import Device, Environment
from app.domain.measurement import CellKey, Correctness, Measurement, Recipe, Samples
from app.domain.size import Size
from app.domain.vocabulary import (
    Arithmetic,
    BackendName,
    CacheState,
    CellStatus,
    Dtype,
    Health,
    Regime,
    StopReason,
)
from app.kernels import registry

PROBLEMS = Path(__file__).parents[1] / "problems"
SIZE = Size.of(n=1000)
RULE = StopRule(min_samples=10, min_total_s=0.0, ci_width_fraction=0.02, max_samples=60, max_total_s=60)


@pytest.fixture(autouse=True)
def _faulty_ladder() -> None:
    registry.add_folder(PROBLEMS)


def key(stage: str) -> CellKey:
    return CellKey("faults", stage, SIZE, Dtype.FLOAT32)


def recorded(stage: str, cache: CacheState, durations_s: list[float], right: bool = True) -> Recording:
    regime = Regime.SINGLE if cache is CacheState.COLD else Regime.BURST
    correctness = Correctness(right, None, 1e-8, 1e-6, "float64", "" if right else "y[0] was not written")
    measurement = Measurement(
        key=key(stage),
        reference=False,
        arithmetic=Arithmetic.FP32,
        cache=cache,
        regime=regime,
        median_s=1e-3,
        mad_s=0.0,
        ci_low_s=None,
        ci_high_s=None,
        p5_s=1e-3,
        p95_s=1e-3,
        n=len(durations_s),
        noise_fraction=None,
        launches_per_sample=1,
        stop_reason=StopReason.CI_REACHED,
        flop=1000,
        least_dram_bytes=8000,
        health=Health.OK,
        health_reasons=(),
        correctness=correctness,
        recipe=Recipe("0" * 64, "run", (), None, None, 0, ()),
    )
    return Recording(measurement, Samples(key(stage), cache, regime, tuple(durations_s)))


def both(stage: str, spread: float = 0.001, n: int = 200, right: bool = True) -> list[Recording]:
    durations = list(np.random.default_rng(len(stage)).normal(1e-3, spread * 1e-3, n))
    return [recorded(stage, cache, durations, right) for cache in CacheState]


def replay(recordings: list[Recording], device: Device | None = None, **plan: object) -> list[ChildMessage]:
    told: list[ChildMessage] = []
    stages = dict.fromkeys(r.measurement.key for r in recordings)
    filled = Plan(BackendName.CPU, tuple(stages), RULE, RULE, measure_ceilings=False)
    backend = ReplayBackend(
        device or Device("cpu-test", "Test", BackendName.CPU),
        Environment("0", "3", "linux", "here"),
        recordings,
    )
    run_plan(backend, replace(filled, **plan), told.append, seed=1)  # type: ignore[arg-type]
    return told


def outcomes(told: list[ChildMessage]) -> dict[str, CellStatus]:
    return {m.outcome.key.stage: m.outcome.status for m in told if isinstance(m, CellEnded)}


def measured_of(told: list[ChildMessage]) -> list[Measured]:
    return [m for m in told if isinstance(m, Measured)]


def test_a_quiet_stage_gives_a_cold_and_a_warm_measurement() -> None:
    told = replay(both("good"))
    measured = measured_of(told)
    assert [(m.measurement.cache, m.measurement.regime) for m in measured] == [
        (CacheState.COLD, Regime.SINGLE),
        (CacheState.WARM, Regime.BURST),
    ]
    for m in measured:
        assert m.measurement.stop_reason is StopReason.CI_REACHED
        assert m.measurement.n == len(m.samples.durations_s) == 10
        assert m.measurement.ci_low_s is not None
        assert m.measurement.correctness.passed_after
    assert isinstance(told[0], Probed)
    assert isinstance(told[-1], Done)
    assert outcomes(told) == {"good": CellStatus.MEASURED}


def test_samples_are_kept_raw_and_in_order() -> None:
    wild = [1e-3] * 9 + [5e-3] + [1e-3] * 50
    (cold, _) = [
        m for m in replay([recorded("good", c, wild) for c in CacheState]) if isinstance(m, Measured)
    ]
    assert list(cold.samples.durations_s) == wild[: len(cold.samples.durations_s)]
    assert 5e-3 in cold.samples.durations_s


def test_stages_are_interleaved_and_their_order_is_shuffled() -> None:
    stages = ("good", "wrong", "raises", "hangs")
    told = replay([r for s in stages for r in both(s, spread=0.5)])
    started = [m.key.stage for m in told if isinstance(m, CellStarted) and m.phase == "sampling"]
    assert set(started[:4]) == set(stages)
    assert outcomes(told) == dict.fromkeys(stages, CellStatus.MEASURED)


def test_a_stage_whose_output_is_wrong_has_no_time() -> None:
    told = replay([*both("good"), *both("wrong", right=False)])
    assert outcomes(told) == {"good": CellStatus.MEASURED, "wrong": CellStatus.WRONG_RESULT}
    assert {m.measurement.key.stage for m in told if isinstance(m, Measured)} == {"good"}


def test_a_stage_that_fails_while_sampled_leaves_the_rounds() -> None:
    told = replay([*both("good"), *both("raises", spread=0.5, n=12)])
    assert outcomes(told) == {"good": CellStatus.MEASURED, "raises": CellStatus.FAILED}


def test_sampling_goes_on_from_what_a_dead_child_had_streamed() -> None:
    durations = list(np.random.default_rng(4).normal(1e-3, 1e-7, 200))
    prior = tuple(
        Samples(key("good"), cache, regime, tuple(durations[:7]), (1e9,) * 7)
        for cache, regime in ((CacheState.COLD, Regime.SINGLE), (CacheState.WARM, Regime.BURST))
    )
    rest = [recorded("good", cache, durations[7:]) for cache in CacheState]
    measured = measured_of(replay(rest, prior_samples=prior))
    assert len(measured) == 2
    for m in measured:
        assert list(m.samples.durations_s) == durations[: m.measurement.n]
        assert m.measurement.n >= 10


def test_rounds_report_each_new_sample_once() -> None:
    told = replay(both("good", spread=0.5))
    cold, _ = measured_of(told)
    reported = [
        d
        for m in told
        if isinstance(m, RoundDone)
        for s in m.samples
        if s.cache is CacheState.COLD
        for d in s.durations_s
    ]
    assert reported == list(cold.samples.durations_s)[: len(reported)]
    assert any(m.medians_s for m in told if isinstance(m, RoundDone))


def test_a_negative_duration_quarantines_and_stays_visible() -> None:
    durations = [1e-3] * 5 + [-1e-3] + [1e-3] * 100
    measured = [
        m for m in replay([recorded("good", c, durations) for c in CacheState]) if isinstance(m, Measured)
    ]
    for m in measured:
        assert m.measurement.health is Health.QUARANTINED
        assert -1e-3 in m.samples.durations_s
        assert m.measurement.median_s == 1e-3


def test_no_possible_sample_at_all_is_a_failure_not_a_nan() -> None:
    told = replay([recorded("good", c, [0.0] * 200) for c in CacheState])
    assert outcomes(told) == {"good": CellStatus.FAILED}
    (ended,) = [m for m in told if isinstance(m, CellEnded)]
    assert "no time to state" in ended.outcome.reason


def test_a_rate_above_the_data_sheet_is_quarantined() -> None:
    slow = Device("cpu-test", "Test", BackendName.CPU, datasheet_fp32_flop_per_s=1000.0)
    measured = measured_of(replay(both("good"), device=slow))
    assert {m.measurement.health for m in measured} == {Health.QUARANTINED}
    assert "more than the device can do" in measured[0].measurement.health_reasons[0]


def test_an_unrecorded_stage_is_unsupported_and_says_so() -> None:
    told = replay(both("good"), cells=(key("good"), key("hangs")))
    assert outcomes(told) == {"good": CellStatus.MEASURED, "hangs": CellStatus.UNSUPPORTED}


def test_the_source_of_each_stage_is_told_once() -> None:
    told = replay(both("good"), cells=(key("good"), replace(key("good"), size=SIZE)))
    assert len([m for m in told if isinstance(m, SourceUsed)]) == 1


def test_a_scan_leaves_out_what_one_launch_makes_too_long() -> None:
    slow = [replace(r, measurement=replace(r.measurement, median_s=0.3)) for r in both("hangs")]
    told = replay(both("good") + slow, scan=True)
    assert outcomes(told) == {"good": CellStatus.MEASURED, "hangs": CellStatus.SKIPPED}
    reason = next(m.outcome.reason for m in told if isinstance(m, CellEnded) and m.outcome.reason)
    assert "One launch takes 0.3 s" in reason
    assert "without scan" in reason


def test_probe_measures_nothing() -> None:
    told = replay(both("good"), probe_only=True)
    assert [type(m) for m in told] == [Probed, Done]
