"""A published figure against what was measured here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.claim import Claim
from app.domain.vocabulary import Verdict

TOLERANCE_FRACTION = 0.1  # a claim holds within a tenth of its own figure


@dataclass(frozen=True)
class ClaimCheck:
    """A claimed share of the roof beside the share reached here."""

    claim: Claim
    claimed_fraction: float
    here_fraction: float | None
    verdict: Verdict


def claimed(claims: Sequence[Claim], metric: str) -> Claim | None:
    """The first claim about a metric."""
    return next((claim for claim in claims if claim.metric == metric), None)


def check_share_of_roof(claims: Sequence[Claim], here_fraction: float | None) -> ClaimCheck | None:
    """Judge the claimed share of the roof: rates of another device do not compare, shares do."""
    claim = claimed(claims, "roof_fraction")
    if claim is None or isinstance(claim.value, str):
        return None
    if here_fraction is None:
        verdict = Verdict.NOT_MEASURABLE
    elif abs(here_fraction / claim.value - 1) <= TOLERANCE_FRACTION:
        verdict = Verdict.HOLDS
    else:
        verdict = Verdict.DOES_NOT_HOLD
    return ClaimCheck(claim, claim.value, here_fraction, verdict)
