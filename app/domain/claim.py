"""A published figure, kept with its source so that the product can test it on the user's device."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Claim:
    """A published figure about one stage: never ours, never measured here."""

    metric: str  # "flop_per_s", "roof_fraction", "intensity_flop_per_byte", "bottleneck"
    value: float | str
    source: str  # "L24 experiment 3"
    device: str  # "A100"
    size_key: str | None = None
    roof_flop_per_s: float | None = None  # what a claimed fraction is a fraction of
