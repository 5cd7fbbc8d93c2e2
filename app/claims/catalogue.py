"""Finds claims by looking at the folder: adding a module of claims edits nothing here."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import app.claims
from app.claims.published import PublishedClaim, Section


@cache
def claims() -> tuple[PublishedClaim, ...]:
    """Every claim, in the order of the sections and then of their modules."""
    found: list[PublishedClaim] = []
    for module in pkgutil.iter_modules(app.claims.__path__):
        found.extend(getattr(importlib.import_module(f"app.claims.{module.name}"), "CLAIMS", ()))
    order = list(Section)
    return tuple(sorted(found, key=lambda claim: order.index(claim.section)))
