"""A published figure against what was measured here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.claims.stage_figures import rule_of
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
    verdict = verdict_of(claim, here_fraction) or Verdict.NOT_MEASURABLE
    return ClaimCheck(claim, claim.value, here_fraction, verdict)


def verdict_of(claim: Claim, here: float | None) -> Verdict | None:
    """The verdict on a figure of a stage, or None where it is not compared or nothing is known here."""
    rule = rule_of(claim)
    return rule.verdict(here) if rule is not None and here is not None else None
