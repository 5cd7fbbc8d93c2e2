"""Which rule judges a figure that stands with a stage: one for ladders, stage pages and claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.claims.rules import Computed, Rule, WithinFraction
from app.domain.claim import Claim
from app.domain.vocabulary import Metric

INTENSITY_TOLERANCE = 0.05  # the table says "about"


def rule_of(claim: Claim) -> Rule | None:
    """None where nothing on the stage alone decides: rates of another device, bottlenecks in words."""
    make = _RULES.get(claim.metric)
    return make(claim.value) if make and not isinstance(claim.value, str) else None


_RULES: Mapping[Metric, Callable[[float], Rule]] = {
    Metric.ROOF_FRACTION: WithinFraction,
    Metric.INTENSITY: lambda value: Computed(value, INTENSITY_TOLERANCE),
}
