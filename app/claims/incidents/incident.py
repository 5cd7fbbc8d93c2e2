"""The contract of an incident: a fault from production, replayed by cells before and after its cure.

A module of this package that defines `INCIDENT` has a page; nothing else is edited.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache

import app.claims.incidents
from app.claims.published import Cell, PublishedClaim
from app.domain.errors import NotFoundError


@dataclass(frozen=True)
class ModelledCounter:
    """What the model says of one request before and after; `counter` is what hardware would count."""

    title: str
    before: float
    after: float
    basis: str
    counter: str


@dataclass(frozen=True)
class Incident:
    """A story with its published figures. `factor` is the claim that before ÷ after is tested by.

    context: figures of the story that no benchmark replays. caveat: where the replay differs from the story.
    """

    name: str
    title: str
    source: str
    happened: str
    context: str
    before: Cell
    before_title: str
    after: Cell
    after_title: str
    published_before_s: float
    published_after_s: float
    factor: PublishedClaim
    figures: tuple[PublishedClaim, ...]
    counters: tuple[ModelledCounter, ...]
    caveat: str
    lesson: str


@cache
def incidents() -> dict[str, Incident]:
    """Every incident by name, in name order."""
    found: list[Incident] = []
    for module in pkgutil.iter_modules(app.claims.incidents.__path__):
        declared = importlib.import_module(f"app.claims.incidents.{module.name}")
        if isinstance(incident := getattr(declared, "INCIDENT", None), Incident):
            found.append(incident)
    return {one.name: one for one in found}


def incident(name: str) -> Incident:
    """The incident of that name. Raises NotFoundError, naming those that exist."""
    try:
        return incidents()[name]
    except KeyError:
        known = ", ".join(incidents())
        raise NotFoundError(f"No incident is called {name!r}. Known: {known}.", field="name") from None
