"""Lanes of a warp write words that lie far apart."""

from __future__ import annotations

from functools import partial

from app.analysis.coalescing_rules import judge_scatter
from app.analysis.rule import Rule
from app.analysis.sectors import STORES
from app.domain.finding import StageLink

RULE = Rule(
    "uncoalesced_stores",
    "Uncoalesced global stores",
    "Let neighbouring lanes write neighbouring words; turn the data in shared memory (padded or swizzled) "
    "before it is written.",
    partial(judge_scatter, kind=STORES),
    StageLink("transpose", "tile33"),
)
