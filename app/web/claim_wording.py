"""Claims in words: figures in the unit of their quantity, and each rule as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import singledispatch

from app.claims.published import Found, PublishedClaim, Quantity, Section
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
from app.kernels.experiment import experiments
from app.web import formatting
from app.web.view_state import experiment_href

FORMATS: Mapping[Quantity, Callable[[float], str]] = {
    Quantity.FACTOR: lambda value: f"{formatting.plain(value)}×",
    Quantity.FRACTION: formatting.percent,
    Quantity.CHANGE: formatting.percent_change,
    Quantity.BYTES_PER_S: formatting.bandwidth,
    Quantity.FLOP_PER_S: formatting.rate,
    Quantity.FLOP_PER_BYTE: lambda value: formatting.with_unit(formatting.plain(value), "FLOP/B"),
    Quantity.SECONDS: formatting.duration,
    Quantity.BYTES: formatting.bytes_moved,
    Quantity.CAPACITY: lambda value: formatting.capacity(round(value)),
    Quantity.COUNT: formatting.count,
    Quantity.CYCLES: lambda value: formatting.with_unit(formatting.significant(value), "cycles"),
}
SECTIONS: Mapping[Section, str] = {
    Section.MATMUL: "Matmul ladder",
    Section.MEMORY: "Memory experiments",
    Section.HIERARCHY: "Memory hierarchy",
    Section.MODELS: "Models",
    Section.CHECKLISTS: "Checklists",
    Section.INCIDENTS: "Incidents",
    Section.TENSOR: "Tensor Cores",
    Section.STATEMENTS: "Statements",
    Section.QUESTIONS: "Open questions",
}


def section_title(section: Section) -> str:
    """ "Matmul ladder"."""
    return SECTIONS[section]


def claimed_text(claim: PublishedClaim) -> str:
    """The published figure in its unit, or as it was printed."""
    return claim.claimed if isinstance(claim.claimed, str) else FORMATS[claim.quantity](claim.claimed)


def found_text(found: Found, claim: PublishedClaim) -> str:
    """The value on the device in the claim's unit."""
    return FORMATS[claim.quantity](found.value)


def rule_text(claim: PublishedClaim) -> str:
    """ "holds within ±10 % of 5.38×"."""
    return _words(claim.rule, FORMATS[claim.quantity])


def experiment_links(claim: PublishedClaim) -> tuple[tuple[str, str], ...]:
    """Title and address of the experiments that show the problems whose cells the claim cites."""
    cited = {cell.problem for cell in claim.look.cells}
    return tuple((one.title, experiment_href(one)) for one in experiments().values() if one.problem in cited)


@singledispatch
def _words(rule: Rule, text: Callable[[float], str]) -> str:
    raise TypeError(f"{type(rule).__name__} has no words yet. Register them in this module.")


@_words.register
def _(rule: WithinFraction, text: Callable[[float], str]) -> str:
    width = formatting.with_unit(formatting.plain(rule.tolerance * 100), "%")
    return f"holds within ±{width} of {text(rule.claimed)}"


@_words.register
def _(rule: Between, text: Callable[[float], str]) -> str:
    return f"holds from {text(rule.low)} to {text(rule.high)}"


@_words.register
def _(rule: AtLeast, text: Callable[[float], str]) -> str:
    return f"holds if at least {text(rule.least)}"


@_words.register
def _(rule: AtMost, text: Callable[[float], str]) -> str:
    return f"holds if at most {text(rule.most)}"


@_words.register
def _(rule: Ordering, text: Callable[[float], str]) -> str:
    return f"holds if above {text(1 + rule.margin)}"


@_words.register
def _(rule: Same, text: Callable[[float], str]) -> str:
    return f"holds within {text(1 - rule.tolerance)} to {text(1 + rule.tolerance)}"


@_words.register
def _(rule: Computed, text: Callable[[float], str]) -> str:
    return f"holds if computing gives {text(rule.claimed)}, else impossible as printed"


@_words.register
def _(rule: ComputedRange, text: Callable[[float], str]) -> str:
    return f"holds if computing gives {text(rule.low)} to {text(rule.high)}, else impossible as printed"


@_words.register
def _(rule: BelowLimit, text: Callable[[float], str]) -> str:
    return f"holds if the limit is at least {text(rule.claimed)}, else impossible as printed"


CLAIM_WORDS = (claimed_text, experiment_links, found_text, rule_text, section_title)
