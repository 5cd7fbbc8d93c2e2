"""Rules on constructed counters: faults that no capture shows, and both sides of each threshold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.analysis.diagnosis import diagnose, rules
from app.analysis.rule import Rule
from app.domain.finding import Finding, FindingVerdict, Severity
from app.domain.kernel_evidence import STALLS, Counter, KernelEvidence, ModelValues
from app.domain.measurement import CompilerReport, Roof
from app.domain.vocabulary import Arithmetic, Dtype, Provenance
from tests import ncu_captures as captured
from tests.ncu_captures import counted
from tests.unit import test_rules_on_captures as on_captures

UNITS = ("sm_throughput_fraction", "l1_throughput_fraction", "l2_throughput_fraction")
IDLE = dict.fromkeys((*UNITS, "dram_throughput_fraction", "issue_active_fraction"), 0.3)
IDLE["active_warps_per_scheduler"] = 3.0
WHOLE = {"global_load_requests": 100.0, "global_store_requests": 0.0}
LOCAL = {"local_load_requests": 50.0, "local_store_requests": 50.0, **WHOLE}
ATOMICS = {"global_atomic_requests": 0.0, **WHOLE}
HALVES = {"dram_bytes": 1e6, "fp16_flop": 0.0, "tensor_flop": 0.0}
BLOCK = {"multiprocessors": 132.0, "grid_blocks": 133.0}


def _kernel(**values: float) -> KernelEvidence:
    return KernelEvidence("k", counted(**{**IDLE, **values}))


def _report(spilled: int, stack: int) -> CompilerReport:
    return CompilerReport("NVRTC 13.0", "sm_90a", 32, spilled, spilled, stack, 0)


def _sectors(per_request: float, useful: float | None = None) -> KernelEvidence:
    known = {} if useful is None else {"global_load_bytes_per_sector": useful}
    return _kernel(global_load_sectors_per_request=per_request, global_load_requests=100, **known)


def _model(least: int) -> ModelValues:
    return ModelValues(flop=0, least_dram_bytes=least)


FIRES: dict[str, KernelEvidence] = {
    "misaligned_access": _sectors(5, 128 / 5),
    "local_array": replace(_kernel(**LOCAL), compiler=_report(0, 64)),
    "register_spills": replace(_kernel(**LOCAL), compiler=_report(2052, 2052)),
    "few_blocks": _kernel(grid_blocks=16, multiprocessors=132, dram_throughput_fraction=0.04,
                          sm_throughput_fraction=0, l1_throughput_fraction=0, l2_throughput_fraction=0),
    "tail_wave": _kernel(waves_per_multiprocessor=1.01, **{**BLOCK, "grid_blocks": 1067.0}),
    "tensor_pipe_idle": replace(_kernel(fp32_flop=1e9, **HALVES), dtype=Dtype.FLOAT16),
    "l2_thrash": replace(_kernel(dram_bytes=8e9, **{"dram_throughput_fraction": 0.9}), model=_model(10**9)),
    "launch_bound": _kernel(duration_s=2e-6),
    "clock_throttled": _kernel(sm_clock_hz=1.4e9, boost_clock_hz=1.98e9),
    "tf32_silent": replace(_kernel(tensor_tf32_flop=1e9), arithmetic=Arithmetic.FP32),
    "divergence": _kernel(threads_per_instruction=4.2),
    "atomic_contention": _kernel(global_reduction_requests=100, **ATOMICS),
}  # fmt: skip
SILENT: dict[str, KernelEvidence] = {
    "misaligned_access": _sectors(4, 32),
    "local_array": replace(_kernel(**LOCAL), compiler=_report(2052, 2052)),
    "register_spills": replace(_kernel(**LOCAL), compiler=_report(0, 64)),
    "few_blocks": _kernel(grid_blocks=132, multiprocessors=132, waves_per_multiprocessor=1),
    "tail_wave": _kernel(waves_per_multiprocessor=8.0, **{**BLOCK, "grid_blocks": 1056.0}),
    "tensor_pipe_idle": replace(_kernel(fp32_flop=1e9, **HALVES | {"tensor_flop": 1e9}), dtype=Dtype.FLOAT16),
    "l2_thrash": replace(_kernel(dram_bytes=1.1e9), model=_model(10**9)),
    "launch_bound": _kernel(duration_s=2e-4),
    "clock_throttled": _kernel(sm_clock_hz=1.95e9, boost_clock_hz=1.98e9),
    "tf32_silent": replace(_kernel(tensor_tf32_flop=1e9), arithmetic=Arithmetic.TF32),
    "divergence": _kernel(threads_per_instruction=31),
    "atomic_contention": _kernel(global_reduction_requests=4, **ATOMICS),
}
PLAIN_STALLS = [stall for stall in STALLS if "selected" not in stall]


def _finding(rule: str, evidence: KernelEvidence) -> Finding:
    return next(found for found in diagnose(evidence) if found.rule == rule)


@pytest.mark.parametrize("rule", FIRES)
def test_constructed_counters_with_the_fault_fire(rule: str) -> None:
    finding = _finding(rule, FIRES[rule])
    assert finding.verdict is FindingVerdict.FOUND, finding.message


@pytest.mark.parametrize("rule", SILENT)
def test_constructed_counters_without_the_fault_are_silent(rule: str) -> None:
    finding = _finding(rule, SILENT[rule])
    assert finding.verdict in (FindingVerdict.CLEAR, FindingVerdict.NOT_APPLICABLE), finding.message


@pytest.mark.parametrize("stall", PLAIN_STALLS)
def test_each_stall_fires_where_it_takes_half_of_a_warps_time(stall: Counter) -> None:
    rest = {str(other): 0.0 for other in STALLS}
    half = _kernel(**{**rest, str(stall): 5.0, "stall_selected": 5.0})
    finding = _finding(stall, half)
    assert finding.verdict is FindingVerdict.FOUND
    assert finding.gain is not None
    assert finding.gain.speed_up == pytest.approx(2.0)
    little = _kernel(**{**rest, str(stall): 0.5, "stall_selected": 9.5})
    assert _finding(stall, little).verdict is FindingVerdict.CLEAR


def test_a_stall_does_not_matter_where_the_issue_slots_are_full() -> None:
    rest = {str(other): 0.0 for other in STALLS}
    full = _kernel(**{**rest, "stall_wait": 5.0, "stall_selected": 5.0, "issue_active_fraction": 0.95})
    assert _finding("stall_wait", full).verdict is FindingVerdict.CLEAR


def test_every_rule_has_a_firing_and_a_silent_case() -> None:
    fires = {*FIRES, *on_captures.FIRES, *PLAIN_STALLS}
    silent = {*SILENT, *on_captures.SILENT, *PLAIN_STALLS}
    assert {rule.name for rule in rules()} == fires == silent


def test_without_counters_every_rule_is_not_applicable_and_names_what_to_ask_for() -> None:
    findings = diagnose(KernelEvidence("k"))
    assert {finding.verdict for finding in findings} == {FindingVerdict.NOT_APPLICABLE}


def test_wide_accesses_are_not_told_from_scattered_ones_by_sectors_alone() -> None:
    assert _finding("uncoalesced_loads", _sectors(16)).verdict is FindingVerdict.CLEAR
    assert _finding("uncoalesced_loads", _sectors(12)).verdict is FindingVerdict.NOT_APPLICABLE
    assert _finding("uncoalesced_loads", _sectors(32)).verdict is FindingVerdict.FOUND
    assert _finding("uncoalesced_loads", _sectors(16, 32)).verdict is FindingVerdict.CLEAR
    assert _finding("uncoalesced_loads", _sectors(16, 8)).verdict is FindingVerdict.FOUND


def test_the_raw_conflict_counter_alone_accuses_nobody() -> None:
    arbitration = _kernel(
        shared_load_requests=2.1e6,
        shared_store_requests=0,
        shared_wavefronts=2.1e6,
        shared_wavefronts_ideal=2.1e6,
        shared_conflicts=168_939,
    )
    assert _finding("shared_wavefronts", arbitration).verdict is FindingVerdict.CLEAR


@pytest.mark.parametrize(
    ("wavefronts", "verdict"),
    [(105, FindingVerdict.CLEAR), (300, FindingVerdict.NOT_APPLICABLE), (3200, FindingVerdict.FOUND)],
)
def test_without_the_ideal_only_clear_cases_of_wavefronts_are_judged(
    wavefronts: float, verdict: FindingVerdict
) -> None:
    kernel = _kernel(shared_load_requests=60, shared_store_requests=40, shared_wavefronts=wavefronts)
    assert _finding("shared_wavefronts", kernel).verdict is verdict


def test_dram_is_held_against_the_measured_roof_where_there_is_one() -> None:
    copying = _kernel(dram_bytes_per_s=4.0e12, dram_throughput_fraction=0.83)
    assert _finding("dram_bound", copying).verdict is FindingVerdict.FOUND
    higher = replace(
        copying, roofs={"dram_copy": Roof("dram_copy", 4.6e12, Provenance.MEASURED, "bytes_per_s")}
    )
    assert _finding("dram_bound", higher).verdict is FindingVerdict.CLEAR


def test_tf32_is_a_fault_only_where_fp32_is_declared() -> None:
    foreign = _finding("tf32_silent", _kernel(tensor_tf32_flop=1e9))
    declared = _finding("tf32_silent", FIRES["tf32_silent"])
    assert (foreign.severity, declared.severity) == (Severity.INFORMATION, Severity.HIGH)


def test_halves_are_known_by_the_signature_of_a_foreign_kernel() -> None:
    foreign = replace(FIRES["tensor_pipe_idle"], dtype=None, kernel="gemm(const __half *, float *)")
    assert _finding("tensor_pipe_idle", foreign).verdict is FindingVerdict.FOUND
    moving = replace(foreign, counters=counted(**IDLE, fp32_flop=1e6, **HALVES))
    assert _finding("tensor_pipe_idle", moving).verdict is FindingVerdict.NOT_APPLICABLE


def test_a_rule_that_fails_is_a_finding_and_the_others_go_on() -> None:
    def fail(_: KernelEvidence) -> None:
        raise ZeroDivisionError("nothing to divide by")

    broken = Rule("broken", "Broken", "", fail)  # type: ignore[arg-type]
    whole = next(rule for rule in rules() if rule.name == "divergence")
    findings = diagnose(captured.evidence(captured.NAIVE_GEMM), (broken, whole))
    assert [found.verdict for found in findings] == [FindingVerdict.ERROR, FindingVerdict.CLEAR]
    assert "ZeroDivisionError" in findings[0].message
