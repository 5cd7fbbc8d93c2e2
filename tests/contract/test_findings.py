"""Findings that stages must raise and resolve: names, ancestors, captures of such kernels, the compiler."""

from __future__ import annotations

import pytest

from app.analysis.diagnosis import diagnose, rules
from app.analysis.rule import Rule
from app.backends import nvrtc
from app.domain.finding import FindingVerdict
from app.domain.kernel_evidence import KernelEvidence
from app.domain.vocabulary import BackendName
from app.kernels.pair import Pair, pairs
from app.kernels.registry import problems, stage, stages
from app.kernels.stage import Stage
from tests import ncu_captures as captured
from tests.ncu_captures import Capture

DECLARING = [
    pytest.param(problem, one, id=f"{problem}-{one.name}")
    for problem in problems()
    for one in stages(problem, BackendName.CUDA)
    if one.raises or one.resolves
]
# Captured kernels that do what a stage does, the same way.
CAPTURES: dict[tuple[str, str], Capture] = {
    ("transpose", "tile32"): captured.CONFLICT,
    ("transpose", "tile33"): captured.PADDED,
    ("copy", "scalar"): captured.SCALAR_COPY,
    ("copy", "float4"): captured.VECTOR_COPY,
    ("matmul", "coalesced"): captured.NAIVE_GEMM,
    ("matmul", "block_tile"): captured.TILED_GEMM,
    ("occupancy_spill", "capped"): captured.SPILLING,
}
COMPILED = [
    ("register_cap", "capped"),
    ("register_cap", "free"),
    ("local_array", "indexed"),
    ("local_array", "unrolled"),
]


def _found(evidence: KernelEvidence) -> set[str]:
    return {one.rule for one in diagnose(evidence) if one.verdict is FindingVerdict.FOUND}


@pytest.mark.parametrize("rule", [rule for rule in rules() if rule.cure], ids=lambda rule: rule.name)
def test_the_stage_that_shows_the_cure_exists(rule: Rule) -> None:
    assert rule.cure is not None
    assert rule.cure.stage in {one.name for one in stages(rule.cure.problem, BackendName.CUDA)}


@pytest.mark.parametrize(("problem", "one"), DECLARING)
def test_a_stage_names_rules_and_resolves_what_an_ancestor_raises(problem: str, one: Stage) -> None:
    assert {*one.raises, *one.resolves} <= {rule.name for rule in rules()}
    assert not {*one.raises} & {*one.resolves}
    inherited: set[str] = set()
    ancestor = one
    while ancestor.improves_on is not None:
        ancestor = stage(problem, BackendName.CUDA, ancestor.improves_on)
        inherited |= {*ancestor.raises}
    assert {*one.resolves} <= inherited


@pytest.mark.parametrize("pair", [pytest.param(pair, id=name) for name, pair in pairs().items()])
def test_the_cured_stage_of_a_pair_resolves_what_the_faulty_one_raises(pair: Pair) -> None:
    faulty, cured = pair.stages
    assert faulty.raises
    assert faulty.raises == cured.resolves


def test_stages_that_spill_raise_spills_and_only_they() -> None:
    for problem in problems():
        for one in stages(problem, BackendName.CUDA):
            assert one.spills is ("register_spills" in one.raises), (problem, one.name)


@pytest.mark.parametrize(("name", "capture"), CAPTURES.items(), ids=lambda found: "-".join(map(str, found)))
def test_the_captured_kernel_of_a_stage_shows_what_the_stage_declares(
    name: tuple[str, str], capture: Capture
) -> None:
    problem, stage_name = name
    declared = stage(problem, BackendName.CUDA, stage_name)
    found = _found(captured.evidence(capture))
    assert {*declared.raises} <= found
    assert not {*declared.resolves} & found


@pytest.mark.parametrize(("problem", "name"), COMPILED)
def test_the_compiler_alone_shows_what_the_stage_declares(problem: str, name: str) -> None:
    declared = stage(problem, BackendName.CUDA, name)
    source = declared.source.read_text(encoding="utf-8")
    report = nvrtc.compile_cubin(source, declared.entry, "sm_90a", declared.compile_options).report
    found = _found(KernelEvidence(declared.entry, compiler=report))
    assert found == {*declared.raises}
