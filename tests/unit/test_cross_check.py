"""Two instruments on one kernel: counters captured on an H200 against models and synthetic event times."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.analysis.cross_check import CrossCheck, cross_checks
from app.domain.kernel_evidence import Counter, KernelEvidence, ModelValues
from app.domain.vocabulary import CacheState
from tests import ladders
from tests import ncu_captures as captured

GEMM = ModelValues(2 * 1024**3, 3 * 4 * 1024**2)


def _checks(evidence: KernelEvidence) -> dict[str, CrossCheck]:
    return {check.quantity: check for check in cross_checks(evidence)}


def _timed(cache: CacheState, over_profiler: float, clock_hz: float | None = None) -> KernelEvidence:
    kernel = captured.evidence(captured.NAIVE_GEMM)
    median_s = kernel.counters.need(Counter.DURATION_S) * over_profiler
    timing = replace(
        ladders.gpu_run()[0].measurements[0], cache=cache, median_s=median_s, sm_clock_hz=clock_hz
    )
    return replace(kernel, timings=(timing,), model=GEMM)


def test_counted_operations_are_those_of_the_algorithm() -> None:
    check = _checks(_timed(CacheState.COLD, 1.0))["FLOP"]
    assert check.agrees
    assert check.ratio == pytest.approx(1, abs=1e-4)


def test_results_that_stay_in_the_cache_are_missing_at_dram() -> None:
    check = _checks(_timed(CacheState.COLD, 1.0))["DRAM bytes"]
    assert not check.agrees
    assert check.ratio == pytest.approx(2 / 3, abs=0.01)
    assert "not written back" in check.explanation


def test_values_that_are_fetched_again_are_more_at_dram() -> None:
    kernel = replace(
        captured.evidence(captured.DOUBLE_BUFFER), model=ModelValues(2 * 4096**3, 3 * 4 * 4096**2)
    )
    assert "more than once" in _checks(kernel)["DRAM bytes"].explanation


@pytest.mark.parametrize(
    ("kernel", "agrees", "words"),
    [
        (_timed(CacheState.COLD, 1.01), True, "same"),
        (_timed(CacheState.WARM, 0.5), False, "flushes caches"),
        (_timed(CacheState.COLD, 1.2, clock_hz=1.637e9), False, "SM clock differed"),
        (_timed(CacheState.COLD, 1.5), False, "Neither length"),
    ],
)
def test_a_disagreement_of_times_is_explained(kernel: KernelEvidence, agrees: bool, words: str) -> None:
    check = _checks(kernel)["time"]
    assert check.agrees is agrees
    assert words in check.explanation


def test_more_operations_than_the_algorithm_has_are_told() -> None:
    kernel = replace(captured.evidence(captured.NAIVE_GEMM), model=ModelValues(10**9, 10**7))
    assert "More is done" in _checks(kernel)["FLOP"].explanation


def test_one_instrument_alone_checks_nothing() -> None:
    assert cross_checks(captured.evidence(captured.NAIVE_GEMM)) == ()
