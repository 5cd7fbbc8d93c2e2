"""A published figure against what was measured here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.claims.rules import WithinFraction
from app.domain.claim import Claim
from app.domain.vocabulary import Metric, Verdict


@dataclass(frozen=True)
class ClaimCheck:
    """A claimed share of the roof beside the share reached here."""

    claim: Claim
    claimed_fraction: float
    here_fraction: float | None
    verdict: Verdict


def claimed(claims: Sequence[Claim], metric: Metric) -> Claim | None:
    """The first claim about a metric."""
    return next((claim for claim in claims if claim.metric == metric), None)


def check_share_of_roof(claims: Sequence[Claim], here_fraction: float | None) -> ClaimCheck | None:
    """Judge the claimed share of the roof: rates of another device do not compare, shares do."""
    claim = claimed(claims, Metric.ROOF_FRACTION)
    if claim is None or isinstance(claim.value, str):
        return None
    rule = WithinFraction(claim.value)
    verdict = Verdict.NOT_MEASURABLE if here_fraction is None else rule.verdict(here_fraction)
    return ClaimCheck(claim, claim.value, here_fraction, verdict)
