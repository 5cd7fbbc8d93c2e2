"""The link of each rule leads to a stage that exists."""

from __future__ import annotations

import pytest

from app.analysis.diagnosis import rules
from app.analysis.rule import Rule
from app.domain.vocabulary import BackendName
from app.kernels.registry import stages


@pytest.mark.parametrize("rule", [rule for rule in rules() if rule.cure], ids=lambda rule: rule.name)
def test_the_stage_that_shows_the_cure_exists(rule: Rule) -> None:
    assert rule.cure is not None
    assert rule.cure.stage in {stage.name for stage in stages(rule.cure.problem, BackendName.CUDA)}
