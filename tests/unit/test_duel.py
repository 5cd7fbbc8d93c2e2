"""Duels on the real CPU: who fights, in which order, and what is made of the blocks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.backends.benchmark import Benchmark
from app.backends.cpu import CpuBackend
from app.backends.monitor import StateLog
from app.backends.result import Roofs
from app.domain.child_messages import (
    CellEnded,
    ChildMessage,
    DuelFought,
    LogLine,
    Measured,
    Plan,
    StopRule,
)
from app.domain.duel import Duel, DuelBlock, DuelPair, DuelRule
from app.domain.measurement import CellKey
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, CellStatus, Dtype, Regime

SIZE = Size.of(m=64, n=64, k=64)
QUICK = StopRule(min_samples=10, min_total_s=0.0, ci_width_fraction=1.0, max_samples=10, max_total_s=1.0)
RULE = DuelRule(pairs=4, burst_launches=3, idle_s=0.001, block_s=0.002, heat_s=0.005)


def key(stage: str) -> CellKey:
    return CellKey("matmul", stage, SIZE, Dtype.FLOAT32)


def measured(*stages: str, **changes: object) -> list[ChildMessage]:
    told: list[ChildMessage] = []
    plan = Plan(BackendName.CPU, tuple(map(key, stages)), QUICK, QUICK, QUICK, duel_rule=RULE)
    plan = replace(plan, **changes)  # type: ignore[arg-type]
    backend = CpuBackend()
    with StateLog(backend.state, backend.state_period_s) as log:
        Benchmark(backend, plan, Roofs(backend.device(), ()), log, told.append, seed=3).run()
    return told


def duels(told: list[ChildMessage]) -> list[Duel]:
    return [message.duel for message in told if isinstance(message, DuelFought)]


def test_the_own_stage_fights_the_library_in_each_regime_in_mirrored_order() -> None:
    told = measured("numpy_tiles", "blas", duel=(Regime.BURST, Regime.SUSTAINED))
    found = duels(told)
    assert [(d.own, d.library, d.regime) for d in found] == [
        ("numpy_tiles", "blas", Regime.BURST),
        ("numpy_tiles", "blas", Regime.SUSTAINED),
    ]
    for duel in found:
        assert [pair.own_first for pair in duel.pairs] == [True, False, True, False]
        assert 0 < duel.range[0] <= duel.ratio <= duel.range[1]
        assert duel.flop == 2 * 64**3
        assert (duel.size, duel.dtype, duel.arithmetic) == (SIZE, Dtype.FLOAT32, Arithmetic.FP32)
    assert {pair.own.launches for pair in found[0].pairs} == {3}


def test_cells_end_after_their_duel_so_that_a_death_in_it_is_theirs() -> None:
    told = measured("numpy_tiles", "blas", duel=(Regime.BURST,))
    kinds = [type(message) for message in told]
    assert kinds.index(CellEnded) > kinds.index(DuelFought) > kinds.index(Measured)
    ended = [message.outcome for message in told if isinstance(message, CellEnded)]
    assert {(o.key.stage, o.status) for o in ended} == {
        ("numpy_tiles", CellStatus.MEASURED),
        ("blas", CellStatus.MEASURED),
    }


def test_without_a_library_line_there_is_no_duel_and_the_log_says_so() -> None:
    told = measured("numpy_tiles", duel=(Regime.BURST,))
    assert duels(told) == []
    assert any(isinstance(m, LogLine) and m.text.startswith("No duel") for m in told)
    assert any(isinstance(m, CellEnded) and m.outcome.status is CellStatus.MEASURED for m in told)


def test_no_duel_is_fought_unless_it_is_asked_for() -> None:
    assert duels(measured("numpy_tiles", "blas")) == []


def duel_of(*times_s: tuple[float, float], power_w: float | None = None) -> Duel:
    pairs = tuple(
        DuelPair(DuelBlock(own, 8, 1.5e9, power_w), DuelBlock(library, 8), index % 2 == 0)
        for index, (own, library) in enumerate(times_s)
    )
    return Duel(
        "matmul", SIZE, Dtype.FLOAT32, Arithmetic.FP32, Regime.BURST, "a", "b", "B 1.0", 2 * 64**3, pairs
    )


def test_the_ratio_is_the_median_of_the_pairs_speeds() -> None:
    duel = duel_of((1.0, 1.1), (2.0, 1.8), (1.0, 1.3), (1.0, 1.0), (1.0, 1.2))
    assert duel.ratio == pytest.approx(1.1)
    assert duel.range == pytest.approx((0.9, 1.3))
    assert duel.quartiles == pytest.approx((1.0, 1.2))
    assert duel.own_side.launch_s == 1.0
    assert duel.library_side.flop_per_s == pytest.approx(2 * 64**3 / 1.2)


def test_what_cannot_be_read_is_unknown_and_few_pairs_have_no_quartiles() -> None:
    duel = duel_of((1.0, 1.0), (1.0, 2.0))
    assert duel.quartiles is None
    assert duel.own_side.power_w is None
    assert duel.own_side.sm_clock_hz == 1.5e9
    assert duel.library_side.sm_clock_hz is None


def test_the_expected_time_is_that_of_the_rests_or_of_the_blocks() -> None:
    rule = DuelRule(pairs=10, idle_s=2.0, block_s=3.0, heat_s=6.0)
    assert rule.expected_s(Regime.BURST) == 40.0
    assert rule.expected_s(Regime.SUSTAINED) == 66.0
