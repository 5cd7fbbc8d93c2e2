"""Counters of one result of a `.ncu-rep` file, by column; lists of instances are decoded when asked for."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, nan

from google.protobuf.message import DecodeError

from app.domain.report import Columns, Instance, Metrics
from app.ncu.rep_schema import Decoded, message_class
from app.ncu.rep_units import base_unit

_TEXT = "text"


class RepInstances(Mapping[int, tuple[Instance, ...]]):
    """Instances by position. A full report holds millions, so the result's bytes are kept and read again."""

    def __init__(self, body: bytes, kind: str, places: Mapping[int, int]) -> None:
        self._body, self._kind = body, kind
        self._places = places  # position in the columns -> position in the message

    def __getitem__(self, place: int) -> tuple[Instance, ...]:
        message = message_class(self._kind).FromString(self._body)
        listed = message.metrics[self._places[place]].instances  # type: ignore[attr-defined]
        return tuple(found for one in listed if (found := _decoded(one)) is not None)

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class MetricColumns:
    """Makes columns from the file's metric indexes, once for all results that have the same."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._shared: dict[tuple[int, ...], tuple[Columns, tuple[str, ...], tuple[float, ...]]] = {}

    def metrics(self, result: Decoded, body: bytes, kind: str) -> Metrics:
        """The counters of a result; `body` are its bytes, `kind` its message's name."""
        found = result.metrics
        columns, units, ones = self._columns(tuple(metric.name for metric in found))
        cells = [_cell(metric.value) for metric in found]
        values = array("d", (cell if isinstance(cell, float) else nan for cell, _ in cells))
        return Metrics(
            columns=columns,
            raw=tuple(raw for _, raw in cells),
            units=units,
            base_units=units,
            base_values=values,
            scales=ones,
            missing=frozenset(place for place, (cell, raw) in enumerate(cells) if cell is None and not raw),
            instances=self._instances(found, body, kind),
        )

    def _columns(self, indexes: tuple[int, ...]) -> tuple[Columns, tuple[str, ...], tuple[float, ...]]:
        if indexes not in self._shared:
            names = tuple(self._names[i] if i < len(self._names) else f"metric {i}" for i in indexes)
            nothing: tuple[None, ...] = (None,) * len(names)
            units = tuple(map(base_unit, names))
            self._shared[indexes] = Columns(names, nothing, nothing), units, (1.0,) * len(names)
        return self._shared[indexes]

    def _instances(self, found: Decoded, body: bytes, kind: str) -> Mapping[int, tuple[Instance, ...]]:
        places = {place: place for place, metric in enumerate(found) if metric.instances}
        return RepInstances(body, kind, places) if places else {}


def _cell(value: Decoded) -> tuple[float | None, str]:
    """A value as a finite number, or None; and as text."""
    kind = value.WhichOneof("kind")
    if kind is None:
        return None, ""
    found = getattr(value, kind)
    if kind == _TEXT:
        return None, found.decode("utf-8", "replace")
    return (float(found) if isfinite(found) else None), str(found)


def _decoded(body: bytes) -> Instance | None:
    """One instance; None where its bytes are damaged."""
    try:
        return _instance(message_class("Instance").FromString(body))
    except DecodeError:
        return None


def _instance(instance: Decoded) -> Instance:
    kind = instance.key.WhichOneof("kind")
    key = getattr(instance.key, kind) if kind else None
    number, _ = _cell(instance.value)
    if isinstance(key, bytes):
        key = key.decode("utf-8", "replace")
    elif isinstance(key, float):
        key = int(key) if isfinite(key) else None
    return Instance(key, nan if number is None else number)
