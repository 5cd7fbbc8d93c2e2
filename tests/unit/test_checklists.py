"""The lectures' checklists on kernels captured on an H200, else on constructed counters."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.analysis.checklists import run_checklists
from app.domain.checklist import CheckResult, CheckVerdict
from app.domain.kernel_evidence import KernelEvidence, ModelValues
from app.domain.measurement import Roof
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, Dtype, Provenance
from tests import ncu_captures as captured
from tests.ncu_captures import Capture, counted

PASS, FAIL, OUT = CheckVerdict.PASS, CheckVerdict.FAIL, CheckVerdict.NOT_APPLICABLE


def _results(evidence: KernelEvidence) -> dict[str, CheckResult]:
    return {result.name: result for checklist in run_checklists(evidence) for result in checklist.results}


@pytest.mark.parametrize(
    ("item", "passing", "failing"),
    [
        ("aligned", captured.STRIDE_1, captured.SPILLING),
        ("innermost", captured.PADDED, captured.STRIDE_8),
        ("vectors", captured.VECTOR_COPY, captured.SCALAR_COPY),
        ("soa", captured.STRIDE_1, captured.STRIDE_2),
        ("shared_columns", captured.PADDED, captured.CONFLICT),
        ("bytes_per_sector", captured.NAIVE_GEMM, captured.STRIDE_2),
        ("conflicts", captured.PADDED, captured.DOUBLE_BUFFER),
        ("spills", captured.FORCED_OCCUPANCY, captured.SPILLING),
        ("three_levels", captured.REGISTER_TILE, captured.TILED_GEMM),
        ("wide_loads", captured.VECTOR_COPY, captured.SCALAR_COPY),
        ("conflict_free", captured.TILED_GEMM, captured.REGISTER_TILE),
        ("double_buffer", captured.DOUBLE_BUFFER, captured.TILED_GEMM),
        ("registers", captured.REGISTER_TILE, captured.DOUBLE_BUFFER),
    ],
)
def test_an_item_passes_and_fails_on_captures(item: str, passing: Capture, failing: Capture) -> None:
    good, bad = _results(captured.evidence(passing))[item], _results(captured.evidence(failing))[item]
    assert good.verdict is PASS, good.message
    assert bad.verdict is FAIL, bad.message
    assert bad.evidence


@pytest.mark.parametrize(("threads", "verdict"), [(256, PASS), (1024, PASS), (32, FAIL), (100, FAIL)])
def test_the_size_of_a_block_constructed(threads: int, verdict: CheckVerdict) -> None:
    assert _results(KernelEvidence("k", block=(threads, 1, 1)))["block_size"].verdict is verdict


def test_the_roofline_is_known_where_model_and_roofs_are() -> None:
    kernel = captured.evidence(captured.NAIVE_GEMM)
    assert _results(kernel)["roofline"].verdict is OUT
    modelled = replace(
        kernel,
        arithmetic=Arithmetic.FP32,
        model=ModelValues(2 * 1024**3, 3 * 4 * 1024**2),
        roofs={
            "dram_copy": Roof("dram_copy", 4.26e12, Provenance.MEASURED, "bytes_per_s"),
            "fp32_fma": Roof("fp32_fma", 60e12, Provenance.MEASURED),
        },
    )
    found = _results(modelled)["roofline"]
    assert found.verdict is PASS
    assert "170.7 FLOP a byte, balance at 14.1: arithmetic" in found.message


@pytest.mark.parametrize(("n", "verdict"), [(4096, PASS), (4097, FAIL)])
def test_dimensions_of_halves_are_multiples_of_16(n: int, verdict: CheckVerdict) -> None:
    halves = replace(captured.evidence(captured.WMMA), dtype=Dtype.FLOAT16, size=Size.of(m=n, n=n, k=n))
    assert _results(halves)["multiples_of_16"].verdict is verdict


def test_without_counters_no_item_passes_or_fails() -> None:
    checklists = run_checklists(KernelEvidence("k", counted()))
    assert [len(checklist.results) for checklist in checklists] == [9, 7]
    assert all(checklist.count(OUT) == len(checklist.results) for checklist in checklists)


def test_items_stand_in_the_order_of_the_lecture_with_their_source() -> None:
    memory, products = run_checklists(captured.evidence(captured.PADDED))
    assert (memory.source, products.source) == ("L22 §8", "L24 §8")
    assert memory.results[0].name == "aligned"
    assert products.results[0].name == "roofline"
