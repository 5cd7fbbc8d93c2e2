"""A published figure, kept with its source so that the product can test it on the user's device."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.vocabulary import Metric


@dataclass(frozen=True)
class Claim:
    """A published figure about one stage: never ours, never measured here."""

    metric: Metric
    value: float | str
    source: str  # "L24 experiment 3"
    device: str  # "A100"
    size_key: str | None = None
    roof_flop_per_s: float | None = None  # what a claimed fraction is a fraction of
