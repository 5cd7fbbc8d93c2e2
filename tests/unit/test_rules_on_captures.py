"""Rules on kernels captured on an H200: each fires where its fault is and is silent where it is not."""

from __future__ import annotations

import pytest

from app.analysis.diagnosis import diagnose
from app.domain.finding import Finding, FindingVerdict, GainScope, Severity
from app.domain.kernel_evidence import Counter
from tests import ncu_captures as captured
from tests.ncu_captures import Capture

FIRES: dict[str, tuple[Capture, ...]] = {
    "uncoalesced_loads": (captured.STRIDE_2, captured.STRIDE_8, captured.REGISTER_TILE, captured.WMMA),
    "uncoalesced_stores": (captured.REGISTER_TILE, captured.DOUBLE_BUFFER),
    "misaligned_access": (captured.SPILLING,),
    "shared_wavefronts": (captured.CONFLICT, captured.REGISTER_TILE, captured.DOUBLE_BUFFER),
    "register_spills": (captured.SPILLING,),
    "low_occupancy": (captured.DOUBLE_BUFFER,),
    "few_blocks": (captured.REDUCTION, captured.SPILLING),
    "scalar_loads": (captured.SCALAR_COPY, captured.STRIDE_1),
    "dram_bound": (captured.VECTOR_COPY, captured.STRIDE_8),
    "compute_bound": (captured.FULL_FMA,),
    "clock_throttled": (captured.WMMA,),
    "register_pressure": (captured.DOUBLE_BUFFER,),
    "stall_long_scoreboard": (captured.SCALAR_COPY, captured.REDUCTION),
    "stall_short_scoreboard": (captured.CONFLICT, captured.DOUBLE_BUFFER),
    "stall_mio_throttle": (captured.CONFLICT, captured.TILED_GEMM),
    "stall_lg_throttle": (captured.NAIVE_GEMM,),
    "stall_barrier": (captured.PADDED,),
    "stall_wait": (captured.SPILLING,),
    "stall_not_selected": (captured.FULL_FMA,),
}
SILENT: dict[str, tuple[Capture, ...]] = {
    "uncoalesced_loads": (captured.STRIDE_1, captured.VECTOR_COPY, captured.NAIVE_GEMM, captured.PADDED),
    "uncoalesced_stores": (captured.PADDED, captured.VECTOR_COPY),
    "misaligned_access": (captured.STRIDE_1, captured.STRIDE_2, captured.VECTOR_COPY),
    "shared_wavefronts": (captured.PADDED, captured.TILED_GEMM, captured.REDUCTION),
    "register_spills": (captured.FORCED_OCCUPANCY, captured.REGISTER_TILE),
    "local_array": (captured.SPILLING, captured.FULL_FMA),
    "low_occupancy": (captured.FULL_FMA, captured.PADDED),
    "few_blocks": (captured.PADDED, captured.REGISTER_TILE),
    "tail_wave": (captured.PADDED, captured.NAIVE_GEMM),
    "tensor_pipe_idle": (captured.WMMA, captured.NAIVE_GEMM),
    "scalar_loads": (captured.VECTOR_COPY, captured.STRIDE_4, captured.TILED_GEMM),
    "l2_thrash": (captured.NAIVE_GEMM,),
    "dram_bound": (captured.SCALAR_COPY, captured.NAIVE_GEMM),
    "compute_bound": (captured.VECTOR_COPY, captured.NAIVE_GEMM),
    "launch_bound": (captured.NAIVE_GEMM, captured.STRIDE_32),
    "clock_throttled": (captured.CONFLICT, captured.FULL_FMA),
    "tf32_silent": (captured.NAIVE_GEMM, captured.WMMA),
    "register_pressure": (captured.FULL_FMA, captured.REGISTER_TILE),
    "divergence": (captured.NAIVE_GEMM, captured.REDUCTION),
    "atomic_contention": (captured.REDUCTION, captured.NAIVE_GEMM),
    "stall_long_scoreboard": (captured.FULL_FMA, captured.VECTOR_COPY, captured.DOUBLE_BUFFER),
    "stall_short_scoreboard": (captured.NAIVE_GEMM,),
    "stall_mio_throttle": (captured.PADDED, captured.VECTOR_COPY),
    "stall_lg_throttle": (captured.TILED_GEMM, captured.PADDED),
    "stall_barrier": (captured.NAIVE_GEMM, captured.VECTOR_COPY),
    "stall_wait": (captured.FULL_FMA, captured.WMMA),
    "stall_not_selected": (captured.NAIVE_GEMM, captured.VECTOR_COPY),
    "stall_math_pipe_throttle": (captured.FULL_FMA,),
    "stall_drain": (captured.CONFLICT,),
    "stall_dispatch": (captured.NAIVE_GEMM,),
}


def _finding(rule: str, capture: Capture) -> Finding:
    return next(found for found in diagnose(captured.evidence(capture)) if found.rule == rule)


def _cases(table: dict[str, tuple[Capture, ...]]) -> list[tuple[str, Capture]]:
    return [(rule, capture) for rule, captures in table.items() for capture in captures]


@pytest.mark.parametrize(("rule", "capture"), _cases(FIRES))
def test_a_rule_fires_on_a_capture_with_the_fault(rule: str, capture: Capture) -> None:
    finding = _finding(rule, capture)
    assert finding.verdict is FindingVerdict.FOUND, finding.message
    assert finding.evidence
    assert finding.advice
    assert finding.severity


@pytest.mark.parametrize(("rule", "capture"), _cases(SILENT))
def test_a_rule_is_silent_on_a_capture_without_the_fault(rule: str, capture: Capture) -> None:
    finding = _finding(rule, capture)
    assert finding.verdict in (FindingVerdict.CLEAR, FindingVerdict.NOT_APPLICABLE), finding.message
    assert finding.severity is None


@pytest.mark.parametrize("capture", captured.EVERY_CAPTURE, ids=lambda found: f"{found[0]}-{found[1]}")
def test_no_rule_fails_on_a_capture_and_every_gain_is_within_the_roofs(capture: Capture) -> None:
    findings = diagnose(captured.evidence(capture))
    assert not [found.message for found in findings if found.verdict is FindingVerdict.ERROR]
    kernel = [f.gain.speed_up for f in findings if f.gain and f.gain.scope is GainScope.KERNEL]
    assert kernel == sorted(kernel, reverse=True)
    assert all(speed_up >= 1 for speed_up in kernel)


def test_the_expected_gain_of_a_cure_bounds_what_the_cured_kernel_reaches() -> None:
    for rule, faulty, cured, least_of_bound in (
        ("shared_wavefronts", captured.CONFLICT, captured.PADDED, 0.9),
        ("scalar_loads", captured.SCALAR_COPY, captured.VECTOR_COPY, 0.9),
    ):
        gain = _finding(rule, faulty).gain
        assert gain is not None
        reached = _duration(faulty) / _duration(cured)
        assert least_of_bound * reached <= gain.speed_up <= 1.25 * reached, rule


def test_findings_come_with_their_metric_and_the_stage_that_shows_the_cure() -> None:
    finding = _finding("shared_wavefronts", captured.CONFLICT)
    assert finding.severity is Severity.HIGH
    assert finding.cure is not None
    assert (finding.cure.problem, finding.cure.stage) == ("transpose", "tile33")
    shown = {value.name: value for value in finding.evidence}
    assert shown["shared_wavefronts"].value == 69_206_016
    assert shown["shared_wavefronts"].source == "memory_l1_wavefronts_shared"


def _duration(capture: Capture) -> float:
    return captured.evidence(capture).counters.need(Counter.DURATION_S)
