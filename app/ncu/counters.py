"""From the metrics of a launch, whatever they are called, to counters by concept."""

from __future__ import annotations

from app.domain.kernel_evidence import CountedValue, Counter, Counters, NotCollected
from app.domain.report import LaunchProfile, Metrics
from app.ncu.metric_names import CONCEPTS, metric_to_ask_for
from app.ncu.metric_source import UndefinedValueError

ANY_CHIP = (0, 0)
UNDEFINED = "is undefined for this launch, since what it is divided by is 0"


def counters_of(launch: LaunchProfile) -> Counters:
    """Every counter that the launch's metrics hold or allow to compute; for the rest, what to ask for."""
    found = _Resolution(launch.metrics)
    capability = _capability(launch.compute_capability)
    values: dict[Counter, CountedValue] = {}
    missing: dict[Counter, NotCollected] = {}
    for counter in Counter:
        value = found.of(counter)
        if value is not None:
            values[counter] = value
        elif counter in found.undefined:
            missing[counter] = NotCollected("", UNDEFINED)
        else:
            missing[counter] = NotCollected(metric_to_ask_for(counter, capability))
    return Counters(values, missing)


class _Resolution:
    """Counters of one launch, each resolved once; a derived one asks for its parts."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._known: dict[Counter, CountedValue | None] = {}
        self.undefined: set[Counter] = set()

    def of(self, counter: Counter) -> CountedValue | None:
        """The value from the first source that has one."""
        if counter not in self._known:
            self._known[counter] = None  # ends the circle of two counters that are derived from each other
            self._known[counter] = self._first(counter)
        return self._known[counter]

    def _first(self, counter: Counter) -> CountedValue | None:
        concept = CONCEPTS[counter]
        for source in concept.sources:
            try:
                value = source.read(self._metrics, concept.unit, self.of)
            except UndefinedValueError:
                self.undefined.add(counter)
                continue
            if value is not None:
                return value
        return None


def _capability(text: str | None) -> tuple[int, int]:
    major, _, minor = (text or "").partition(".")
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else ANY_CHIP
