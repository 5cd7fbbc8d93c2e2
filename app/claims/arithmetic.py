"""Claims that arithmetic decides: a figure that computing does not give is impossible as printed."""

from __future__ import annotations

from collections.abc import Callable

from app.claims.looking import Modelled
from app.claims.published import PublishedClaim, Quantity, Section
from app.claims.rules import Rule

WARP = 32
EXACT = 1e-6


def by_arithmetic(
    slug: str,
    statement: str,
    source: str,
    claimed: float | str,
    quantity: Quantity,
    rule: Rule,
    value: Callable[[], float],
    basis: str,
    *,
    section: Section = Section.MODELS,
    said_of: str = "A100",
) -> PublishedClaim:
    """A claim whose value is the same on every device; `basis` says how it is computed."""
    return PublishedClaim(
        slug, section, statement, source, said_of, claimed, quantity, rule, Modelled(value, basis), basis
    )
