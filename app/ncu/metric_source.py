"""The ways to get a counter from a report: read by name, combined from names, derived from other counters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from app.domain.kernel_evidence import CountedValue, Counter
from app.domain.report import Metrics

Combine = Callable[..., float]
FIRST_CAPABILITY = (0, 0)


class UndefinedValueError(ArithmeticError):
    """All parts were collected, but there is nothing to divide by: no such request, no such cycle."""


class MetricSource(Protocol):
    """One way to get a counter."""

    @property
    def ask(self) -> str:
        """Metric to request from the tool; "" where this way reads labels of a page only."""

    @property
    def since(self) -> tuple[int, int]:
        """First compute capability whose chips have this metric."""

    def read(
        self, metrics: Metrics, unit: str, counter: Callable[[Counter], CountedValue | None]
    ) -> CountedValue | None:
        """The value in `unit`, or None where a part is missing. Raises UndefinedValueError."""


@dataclass(frozen=True)
class Named:
    """One metric or the combination of several, by name; base unit times `scale` is the counter's unit.

    section: where a name means different things in different sections. since: as in `MetricSource`.
    """

    names: tuple[str, ...]
    scale: float = 1.0
    combine: Combine | None = None
    formula: str = ""
    section: str | None = None
    since: tuple[int, int] = FIRST_CAPABILITY

    @property
    def ask(self) -> str:
        """Raw names are words joined by underscores; labels of the details page hold blanks and capitals."""
        raw = all("_" in name and name == name.lower() for name in self.names)
        return ",".join(self.names) if raw else ""

    def read(
        self, metrics: Metrics, unit: str, counter: Callable[[Counter], CountedValue | None]
    ) -> CountedValue | None:
        """Every name must have a value; none is taken for zero."""
        values: list[float] = []
        for name in self.names:
            value = metrics.number(name, self.section)
            if value is None:
                return None
            values.append(value)
        if self.combine is None:
            return CountedValue(values[0] * self.scale, unit, self.names)
        return CountedValue(_defined(self.combine, values) * self.scale, unit, self.names, self.formula)


@dataclass(frozen=True)
class Derived:
    """A combination of other counters."""

    counters: tuple[Counter, ...]
    combine: Combine
    formula: str
    since: tuple[int, int] = FIRST_CAPABILITY

    @property
    def ask(self) -> str:
        """What to request is the business of the counters it is made of."""
        return ""

    def read(
        self, metrics: Metrics, unit: str, counter: Callable[[Counter], CountedValue | None]
    ) -> CountedValue | None:
        """Every counter must have a value."""
        parts = [counter(part) for part in self.counters]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        names = tuple(dict.fromkeys(name for part in known for name in part.metrics))
        return CountedValue(_defined(self.combine, [part.value for part in known]), unit, names, self.formula)


@dataclass(frozen=True)
class SumOfFamily:
    """The sum over all metrics of a family, such as tensor operations by input type.

    pattern: its one group is the member. Where a total and its parts by `parts` (a suffix) are both there,
    the total counts and the parts do not.
    """

    pattern: str
    parts: tuple[str, ...]
    formula: str
    ask: str
    since: tuple[int, int] = FIRST_CAPABILITY

    def read(
        self, metrics: Metrics, unit: str, counter: Callable[[Counter], CountedValue | None]
    ) -> CountedValue | None:
        """The sum of members that have a value; None where none has."""
        values = dict(self._members(metrics))
        kept = {member: found for member, found in values.items() if not self._is_part(member, values)}
        if not kept:
            return None
        total = sum(value for _, value in kept.values())
        return CountedValue(total, unit, tuple(name for name, value in kept.values() if value), self.formula)

    def _members(self, metrics: Metrics) -> list[tuple[str, tuple[str, float]]]:
        shape = re.compile(self.pattern)
        return [
            (found.group(1), (name, value))
            for name in metrics.columns.places
            if (found := shape.fullmatch(name)) and (value := metrics.number(name)) is not None
        ]

    def _is_part(self, member: str, members: Mapping[str, object]) -> bool:
        return any(part in member and member.partition(part)[0] in members for part in self.parts)


def _defined(combine: Combine, values: list[float]) -> float:
    try:
        return combine(*values)
    except ZeroDivisionError as nothing:
        raise UndefinedValueError from nothing
