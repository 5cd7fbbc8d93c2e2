"""A launch's counters as compressed columns, and back, without losing a bit or a character."""

from __future__ import annotations

import hashlib
import json
import zlib
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.domain.report import (
    NO_METRICS,
    Columns,
    Instance,
    LaunchProfile,
    Metrics,
    RuleType,
    SourceLine,
    SourceView,
    ToolRule,
)

# Fast: a report of 500 launches has a million values, and whoever imports it waits.
_COMPRESSION = 1


@dataclass(frozen=True)
class MetricSet:
    """Content that many launches share, with its address."""

    sha256: str
    body: bytes


@dataclass(frozen=True)
class PackedLaunch:
    """The parts of a launch as they are stored."""

    units: MetricSet
    base_values: bytes
    raw: bytes
    rest: bytes


def pack_names(columns: Columns) -> MetricSet:
    """Names, sections and labels of columns."""
    return _metric_set([columns.names, columns.sections, columns.labels])


def pack_launch(profile: LaunchProfile) -> PackedLaunch:
    """Everything of a launch but the names of its counters."""
    metrics = profile.metrics
    values = np.asarray(metrics.base_values, dtype="<f8")
    return PackedLaunch(
        units=_metric_set([list(metrics.units), list(metrics.base_units), list(metrics.scales)]),
        base_values=zlib.compress(values.tobytes(), _COMPRESSION),
        raw=_deflated(list(metrics.raw)),
        rest=_deflated(_rest_of(profile)),
    )


def unpack_names(body: bytes) -> Columns:
    """The columns that `pack_names` was given."""
    names, sections, labels = _inflated(body)
    return Columns(tuple(names), tuple(sections), tuple(labels))


def unpack_launch(
    summary: LaunchProfile, names: bytes, units: bytes, base_values: bytes, raw: bytes, rest: bytes
) -> LaunchProfile:
    """The whole launch: `summary` holds what the launch's own row has."""
    found = _inflated(rest)
    printed, base, scales = _inflated(units)
    values = array("d", np.frombuffer(zlib.decompress(base_values), dtype="<f8"))
    metrics = replace(
        NO_METRICS,
        columns=unpack_names(names),
        raw=tuple(_inflated(raw)),
        units=tuple(printed),
        base_units=tuple(base),
        base_values=values,
        scales=tuple(scales),
        missing=frozenset(found["missing"]),
        instances=_instances(found["instances"]),
    )
    return replace(
        summary,
        kernel=found["kernel"],
        function=found["function"],
        device_id=found["device_id"],
        context=found["context"],
        stream=found["stream"],
        nvtx=tuple(found["nvtx"]),
        metrics=metrics,
        rules=tuple(ToolRule(name, RuleType(kind), *others) for name, kind, *others in found["rules"]),
        source=_source(found["source"]),
    )


def _rest_of(profile: LaunchProfile) -> dict[str, Any]:
    return {
        "kernel": profile.kernel,
        "function": profile.function,
        "device_id": profile.device_id,
        "context": profile.context,
        "stream": profile.stream,
        "nvtx": list(profile.nvtx),
        "missing": sorted(profile.metrics.missing),
        "instances": _packed_instances(profile.metrics),
        "rules": [
            [r.name, r.type.value, r.section, r.text, r.speedup_percent, r.speedup_scope]
            for r in profile.rules
        ],
        "source": _packed_source(profile.source),
    }


def _packed_instances(metrics: Metrics) -> dict[str, Any]:
    """Keys apart from values: the metrics of a source page share thousands of addresses."""
    places: dict[tuple[int | str | None, ...], int] = {}
    values = []
    for place, instances in metrics.instances.items():
        keys = tuple(one.key for one in instances)
        values.append([place, places.setdefault(keys, len(places)), [one.value for one in instances]])
    return {"keys": [list(keys) for keys in places], "values": values}


def _instances(packed: dict[str, Any]) -> Mapping[int, tuple[Instance, ...]]:
    keys = packed["keys"]
    return {place: tuple(map(Instance, keys[at], values)) for place, at, values in packed["values"]}


def _packed_source(source: SourceView | None) -> dict[str, Any] | None:
    if source is None:
        return None
    names = list(dict.fromkeys(name for line in source.lines for name in line.values))
    return {
        "names": names,
        "lines": [
            [line.text, line.address, line.line, [line.values.get(name) for name in names]]
            for line in source.lines
        ],
        "total_samples": source.total_samples,
        "file_name": source.file_name,
    }


def _source(packed: dict[str, Any] | None) -> SourceView | None:
    if packed is None:
        return None
    names = packed["names"]
    lines = tuple(
        SourceLine(
            text=text,
            values={n: v for n, v in zip(names, values, strict=True) if v is not None},
            address=address,
            line=number,
        )
        for text, address, number, values in packed["lines"]
    )
    return SourceView(lines, packed["total_samples"], packed["file_name"])


def _metric_set(content: object) -> MetricSet:
    text = _json(content)
    return MetricSet(hashlib.sha256(text).hexdigest(), zlib.compress(text, _COMPRESSION))


def _deflated(content: object) -> bytes:
    return zlib.compress(_json(content), _COMPRESSION)


def _json(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode()


def _inflated(body: bytes) -> Any:  # noqa: ANN401 - the shape is what this module packed
    return json.loads(zlib.decompress(body))
