"""Two launches counter by counter, the largest change first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from app.domain.kept_report import KeptLaunch, KeptProfile
from app.domain.report import Metric
from app.storage.store import Store

_Identity = tuple[str | None, str | None, str]


@dataclass(frozen=True)
class Difference:
    """One counter of both launches, in base units. change: head over base minus 1; None where base is 0."""

    name: str
    section: str | None
    label: str | None
    unit: str
    base: float
    head: float

    @property
    def change(self) -> float | None:
        """Relative change; None from nothing to something."""
        return self.head / self.base - 1 if self.base else (0.0 if not self.head else None)

    @property
    def weight(self) -> float:
        """Size of the change, the same for a doubling and a halving; larger is ranked first."""
        if self.base == self.head:
            return 0.0
        if not self.base or not self.head or (self.base < 0) is not (self.head < 0):
            return math.inf
        return abs(math.log(self.head / self.base))


@dataclass(frozen=True)
class Comparison:
    """Differences with the largest first; those that are equal are counted only.

    base_only and head_only: counters that the other launch was not asked for.
    """

    base: KeptProfile
    head: KeptProfile
    differences: tuple[Difference, ...]
    equal_count: int
    base_only: tuple[str, ...]
    head_only: tuple[str, ...]
    text: str = ""


def compare_launches(store: Store, base_id: int, head_id: int, text: str = "") -> Comparison:
    """Compare two kept launches; `text` narrows to counters that hold it. Raises NotFoundError."""
    base, head = _profile(store, base_id), _profile(store, head_id)
    bases, heads = dict(_numbers(base)), dict(_numbers(head))
    wanted = text.strip().lower()
    both = [
        _difference(identity, bases[identity], heads[identity])
        for identity in bases
        if identity in heads and bases[identity].base_unit == heads[identity].base_unit
    ]
    shown = [one for one in both if wanted in f"{one.name} {one.section or ''} {one.label or ''}".lower()]
    return Comparison(
        base=base,
        head=head,
        differences=tuple(sorted((d for d in shown if d.weight), key=lambda d: (-d.weight, d.name))),
        equal_count=sum(not one.weight for one in shown),
        base_only=tuple(sorted({name for *_, name in bases.keys() - heads.keys()})),
        head_only=tuple(sorted({name for *_, name in heads.keys() - bases.keys()})),
        text=text,
    )


def _profile(store: Store, launch_id: int) -> KeptProfile:
    launch: KeptLaunch = store.launch(launch_id)
    return store.launch_profile(launch.report_id, launch.ordinal)


def _numbers(kept: KeptProfile) -> Iterator[tuple[_Identity, Metric]]:
    for metric in kept.profile.metrics:
        if metric.base_value is not None and math.isfinite(metric.base_value):
            yield (metric.section, metric.label, metric.name), metric


def _difference(identity: _Identity, base: Metric, head: Metric) -> Difference:
    section, label, name = identity
    assert base.base_value is not None
    assert head.base_value is not None
    return Difference(name, section, label, base.base_unit, base.base_value, head.base_value)
