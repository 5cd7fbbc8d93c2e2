"""Counters by column: found by name and section, missing ones told from zero."""

from __future__ import annotations

from array import array
from math import nan

from app.domain.report import Columns, Metrics

COLUMNS = Columns(
    names=("Memory Throughput", "Memory Throughput", "Duration", "Cache Config", "gone"),
    sections=("Speed Of Light", "Memory", "Speed Of Light", "Launch", None),
    labels=(None,) * 5,
)
METRICS = Metrics(
    columns=COLUMNS,
    raw=("61.84", "196.4", "21", "PreferNone", "n/a"),
    units=("%", "Gbyte/s", "us", "", ""),
    base_units=("%", "byte/s", "ns", "", ""),
    base_values=array("d", (61.84, 196.4e9, 21e3, nan, nan)),
    scales=(1.0, 1e9, 1e3, 1.0, 1.0),
    missing=frozenset({4}),
)


def test_a_metric_is_named_by_section_and_name() -> None:
    assert METRICS.number("Memory Throughput") == 61.84
    assert METRICS.number("Memory Throughput", "Memory") == 196.4e9
    assert METRICS.number("Memory Throughput", "Elsewhere") is None


def test_values_come_as_printed_and_in_base_units() -> None:
    duration = METRICS.find("Duration")
    assert duration is not None
    assert (duration.raw, duration.unit, duration.value) == ("21", "us", 21.0)
    assert (duration.base_value, duration.base_unit) == (21e3, "ns")


def test_text_is_a_value_without_a_number_and_missing_is_neither() -> None:
    text, gone = METRICS.at(3), METRICS.at(4)
    assert (text.value, text.base_value) == ("PreferNone", None)
    assert (gone.value, gone.raw) == (None, "n/a")
    assert METRICS.find("gone") is None
    assert [m.name for m in METRICS] == list(COLUMNS.names)
