"""Every CUDA stage is right at its problem's check sizes; each problem has a process of its own."""

from __future__ import annotations

import pytest

from bench.stage_checks import BAD, NOT_RUN, check_problem, problems_to_check

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("name", [problem.name for problem in problems_to_check()])
def test_every_stage_is_right_at_the_check_sizes(name: str) -> None:
    pytest.importorskip("app.backends.cuda", exc_type=ImportError)
    problem = next(p for p in problems_to_check() if p.name == name)
    found = check_problem(problem)
    bad = [f"{one.stage}: {one.detail}" for one in found if one.verdict in (BAD, NOT_RUN)]
    assert not bad, "\n".join(bad)
