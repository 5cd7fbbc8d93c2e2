"""What rules find in runs recorded on an H200, without any counter."""

from __future__ import annotations

import pytest

from app.analysis.diagnosis import diagnose
from app.domain.finding import FindingVerdict
from app.domain.vocabulary import BackendName
from app.kernels.registry import stage
from tests import recorded_runs

PAIRS, QUANTISATION = "h200-diagnosis-pairs", "h200-quantisation"
SEEN_WITHOUT_COUNTERS = [
    ("grid_size", "few_blocks"),
    ("grid_size", "full_grid"),
    ("launch_overhead", "many_launches"),
    ("launch_overhead", "one_launch"),
    ("local_array", "indexed"),
    ("local_array", "unrolled"),
    ("register_cap", "capped"),
    ("register_cap", "free"),
]


@pytest.mark.parametrize(("problem", "name"), SEEN_WITHOUT_COUNTERS)
def test_a_recorded_stage_raises_and_resolves_what_it_declares(problem: str, name: str) -> None:
    declared = stage(problem, BackendName.CUDA, name)
    verdicts = {one.rule: one.verdict for one in diagnose(recorded_runs.evidence(PAIRS, problem, name))}
    assert {verdicts[rule] for rule in declared.raises} <= {FindingVerdict.FOUND}
    assert {verdicts[rule] for rule in declared.resolves} <= {FindingVerdict.CLEAR}
    assert FindingVerdict.ERROR not in verdicts.values()


@pytest.mark.parametrize(("m", "fires"), [(4096, False), (4225, True)])
def test_one_row_of_tiles_more_than_whole_waves_is_a_tail(m: int, fires: bool) -> None:
    kernel = recorded_runs.evidence(QUANTISATION, "tile_quantisation", "one_tile", m=m)
    tail = next(one for one in diagnose(kernel) if one.rule == "tail_wave")
    assert (tail.verdict is FindingVerdict.FOUND) is fires, tail.message
