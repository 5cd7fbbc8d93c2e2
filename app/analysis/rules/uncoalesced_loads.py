"""Lanes of a warp read words that lie far apart."""

from __future__ import annotations

from functools import partial

from app.analysis.coalescing_rules import judge_scatter
from app.analysis.rule import Rule
from app.analysis.sectors import LOADS
from app.domain.finding import StageLink

RULE = Rule(
    "uncoalesced_loads",
    "Uncoalesced global loads",
    "Let neighbouring lanes read neighbouring words: put threadIdx.x on the innermost dimension, store "
    "structures as arrays of their fields, or read through shared memory.",
    partial(judge_scatter, kind=LOADS),
    StageLink("matmul", "coalesced"),
)
