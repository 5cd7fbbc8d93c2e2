from __future__ import annotations

import pytest

from app.analysis.mma_fragment import WARP, K, M, N, a_elements, b_elements, c_elements
from app.claims.rules import (
    AtLeast,
    AtMost,
    BelowLimit,
    Between,
    Computed,
    ComputedRange,
    Ordering,
    Rule,
    Same,
    WithinFraction,
)
from app.domain.errors import InvalidInputError
from app.domain.vocabulary import Verdict

HOLDS, FAILS, IMPOSSIBLE = Verdict.HOLDS, Verdict.DOES_NOT_HOLD, Verdict.IMPOSSIBLE


@pytest.mark.parametrize(
    ("rule", "value", "verdict"),
    [
        (WithinFraction(0.758), 0.69, HOLDS),
        (WithinFraction(0.758), 0.68, FAILS),
        (WithinFraction(0.758), 0.84, FAILS),
        (WithinFraction(4.0, 0.5), 6.0, HOLDS),
        (Between(4, 10), 4, HOLDS),
        (Between(4, 10), 10, HOLDS),
        (Between(4, 10), 1.15, FAILS),
        (AtLeast(10), 10, HOLDS),
        (AtLeast(10), 9.99, FAILS),
        (AtMost(0), 0, HOLDS),
        (AtMost(0), 4, FAILS),
        (Ordering(), 1.01, HOLDS),
        (Ordering(), 1.0, FAILS),
        (Ordering(0.1), 1.05, FAILS),
        (Same(), 0.96, HOLDS),
        (Same(), 1.06, FAILS),
        (Computed(682.6), 4096 / 6, HOLDS),
        (Computed(32), 8, IMPOSSIBLE),
        (Computed(51, 1e-6), 48, IMPOSSIBLE),
        (ComputedRange(0.5, 0.625), 0.375, IMPOSSIBLE),
        (ComputedRange(0.5, 0.625), 0.5625, HOLDS),
        (BelowLimit(2450e12), 19.5e12, IMPOSSIBLE),
        (BelowLimit(14.8e12), 19.5e12, HOLDS),
    ],
)
def test_a_rule_judges_a_value(rule: Rule, value: float, verdict: Verdict) -> None:
    assert rule.verdict(value) is verdict


def test_a_warp_holds_each_operand_of_an_mma_once() -> None:
    for elements, rows, columns in ((a_elements, M, K), (b_elements, K, N), (c_elements, M, N)):
        held = [place for lane in range(WARP) for place in elements(lane)]
        assert sorted(held) == [(row, column) for row in range(rows) for column in range(columns)]


def test_the_first_four_lanes_hold_rows_0_and_8() -> None:
    assert {row for lane in range(4) for row, _ in a_elements(lane)} == {0, 8}
    assert a_elements(5)[:2] == ((1, 2), (1, 3))
    assert b_elements(5) == ((2, 1), (3, 1), (10, 1), (11, 1))
    with pytest.raises(InvalidInputError, match="Lane 32"):
        c_elements(32)
