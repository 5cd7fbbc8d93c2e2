"""Representative claims on constructed evidence: one cell changed decides between two verdicts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.claims.catalogue import claims
from app.claims.published import Cell, Found, Missing, judge
from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.measurement import Ceiling, CompilerReport
from app.domain.vocabulary import Provenance, Verdict
from tests.examples import COMPILER, measurement
from tests.ladders import GPU

AT = datetime(2026, 11, 30, tzinfo=UTC)
BY_ID = {claim.id: claim for claim in claims()}
MOVED_BYTES = 10**9


def measured(cell: Cell, median_s: float, compiler: CompilerReport = COMPILER) -> MeasuredCell:
    found = replace(
        measurement(),
        key=cell.key,
        cache=cell.cache,
        median_s=median_s,
        least_dram_bytes=MOVED_BYTES,
        compiler=compiler,
    )
    return MeasuredCell(7, AT, False, found)


def evidence(*cells: MeasuredCell, ceilings: tuple[Ceiling, ...] = ()) -> DeviceEvidence:
    return DeviceEvidence(
        device=GPU,
        cells={(one.measurement.key, one.measurement.cache): one for one in cells},
        fates={},
        ceilings={(one.name, one.source): (8, one) for one in ceilings},
    )


@pytest.mark.parametrize(
    ("slug", "medians", "value", "verdict"),
    [
        ("lab-padded-tile", (5.4, 1.0), 5.4, Verdict.HOLDS),
        ("lab-padded-tile", (1.15, 1.0), 1.15, Verdict.DOES_NOT_HOLD),
        ("copy-float4-gain", (1.2, 1.0), 0.2, Verdict.HOLDS),
        ("copy-float4-gain", (1.56, 1.0), 0.56, Verdict.DOES_NOT_HOLD),
        ("stride-32-share", (8.0, 1.0), 0.125, Verdict.HOLDS),
        ("stride-32-share", (6.41, 1.0), 0.156, Verdict.DOES_NOT_HOLD),
        ("offset-1-bandwidth", (1.0, 1.25), -0.2, Verdict.HOLDS),
        ("offset-1-bandwidth", (1.0, 1.02), -0.0196, Verdict.DOES_NOT_HOLD),
        ("banks-measured-8", (8.0, 1.0), 8.0, Verdict.DOES_NOT_HOLD),
        ("spill-lecture-slower", (0.99, 1.0), 0.99, Verdict.DOES_NOT_HOLD),
        ("occupancy-loses", (2.0, 1.0), 2.0, Verdict.HOLDS),
        ("walk-row-over-column", (0.9, 1.0), 0.9, Verdict.DOES_NOT_HOLD),
    ],
)
def test_the_ratio_of_two_cells_decides(
    slug: str, medians: tuple[float, float], value: float, verdict: Verdict
) -> None:
    claim = BY_ID[slug]
    assert len(claim.look.cells) == 2
    judged = judge(claim, evidence(*map(measured, claim.look.cells, medians)))
    assert judged.verdict is verdict
    assert isinstance(judged.found, Found)
    assert judged.found.value == pytest.approx(value, rel=0.01)
    assert judged.found.run_ids == (7,)


def test_the_compiler_s_report_decides_what_spills() -> None:
    claim = BY_ID["spill-lecture-bytes"]
    (cell,) = claim.look.cells
    none = judge(claim, evidence(measured(cell, 1.0)))
    assert none.verdict is Verdict.DOES_NOT_HOLD
    assert isinstance(none.found, Found)
    assert none.found.provenance is Provenance.COMPILER
    assert not none.found.imported
    elsewhere = judge(claim, evidence(replace(measured(cell, 1.0), imported=True))).found
    assert isinstance(elsewhere, Found)
    assert elsewhere.imported
    spilling = replace(COMPILER, spill_store_bytes=80, spill_load_bytes=96)
    assert judge(claim, evidence(measured(cell, 1.0, spilling))).verdict is Verdict.HOLDS


def test_occupancy_follows_the_kernel_and_this_device() -> None:
    claim = BY_ID["lab-tile-32-occupancy"]
    (cell,) = claim.look.cells
    fits = judge(claim, evidence(measured(cell, 1.0, replace(COMPILER, static_shared_bytes=8448))))
    assert isinstance(fits.found, Found)
    assert fits.found.value == 1.0  # two blocks of 1024 threads, 32 registers each
    assert fits.verdict is Verdict.DOES_NOT_HOLD
    hungry = judge(claim, evidence(measured(cell, 1.0, replace(COMPILER, registers=40))))
    assert hungry.verdict is Verdict.HOLDS


def test_measured_ceilings_decide_and_name_their_run() -> None:
    claim = BY_ID["tensor-over-fp32"]
    roofs = (
        Ceiling("tensor_fp16", "Tensor FP16", "compute", 800e12, Provenance.MEASURED),
        Ceiling("fp32_fma", "FP32", "compute", 60e12, Provenance.MEASURED),
    )
    judged = judge(claim, evidence(ceilings=roofs))
    assert judged.verdict is Verdict.HOLDS
    assert isinstance(judged.found, Found)
    assert judged.found.run_ids == (8,)
    stated = (replace(roofs[0], source=Provenance.DATASHEET), roofs[1])
    lacking = judge(claim, evidence(ceilings=stated)).found
    assert isinstance(lacking, Missing)
    assert "tensor_fp16" in lacking.reason


def test_a_lab_cell_that_is_missing_names_its_suite() -> None:
    found = judge(BY_ID["transpose-padding"], evidence()).found
    assert isinstance(found, Missing)
    assert "roofladder run --suite memory_lab" in found.remedy
