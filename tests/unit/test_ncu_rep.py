"""The `.ncu-rep` reader over files written by hand: every part, several blocks, lies, cuts; stripping."""

from __future__ import annotations

import csv
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import InvalidInputError
from app.domain.report import LaunchKind, ReportFormat, RuleType
from app.ncu.reading import read_bytes
from app.ncu.rep_strip import strip
from app.ncu.rep_units import base_unit
from tests import ncu_rep_writer as writer
from tests.ncu_rep_writer import Block

RAW_PAGE = Path(__file__).parents[1] / "data" / "ncu" / "bank_conflict_benchmark.raw.csv"
NAMES = ("gpu__time_duration.sum", "dram__bytes_read.sum", "launch__registers_per_thread")
SECRET, HOST, PATH = "s3cr3t", "build-box-7", "/srv/private/kernels/app"
CONVERTED = {"ns", "byte", "byte/s", "hz", "%", "byte/block", "byte/cycle", "byte/sector", "register/thread"}


def sample() -> bytes:
    metrics = (writer.metric(0, 323936.0), writer.metric(1, 268466688), writer.metric(2, 25))
    rule = writer.rule("SharedConflicts", f"See {PATH}.cu on {HOST}: conflicts.", 4, 12.5)
    first = Block(
        strings=NAMES,
        sources=(writer.number(1, 3) + writer.block_of(4, f"cubin of {PATH}"),),
        kernels=(writer.kernel("transpose(float *)", metrics, [rule]),),
        session=writer.private_session(SECRET, HOST, PATH),
        process=writer.number(1, 42) + writer.block_of(2, HOST) + writer.block_of(3, PATH),
    )
    instances = writer.metric(3, 5, {0x7F00: 2, 0x7F10: 3})
    second = Block(
        strings=("smsp__pcsamp_warps", "text"),
        kernels=(
            writer.kernel("again", (writer.metric(0, 1e3), instances, writer.metric(4, "CachePreferNone"))),
        ),
        ranges=(writer.ranged((writer.metric(0, 5e3), writer.metric(2, None))),),
        graphs=(writer.ranged((writer.metric(0, float("nan")),)),),
    )
    return writer.report(first, second)


def test_kernels_ranges_and_graphs_with_their_counters() -> None:
    report = read_bytes(sample())
    assert report.dialect.format is ReportFormat.REP
    assert report.dialect.tool_version == "2025.3.1.0"
    assert report.device_attributes == {"NVIDIA H200": {"multiprocessor_count": "132"}}
    first, again, ranged, graph = report.launches
    assert (first.kernel, first.function, first.process_id) == ("transpose(float *)", "transpose", 42)
    assert (first.grid, first.block, first.stream) == ((64, 2, 1), (256, 1, 1), "7")
    assert first.duration_s == pytest.approx(323936e-9)
    assert [(m.name, m.base_value, m.unit) for m in first.metrics] == [
        ("gpu__time_duration.sum", 323936, "ns"),
        ("dram__bytes_read.sum", 268466688, "byte"),
        ("launch__registers_per_thread", 25, "register/thread"),
    ]
    assert [one.kind for one in (again, ranged, graph)] == [
        *(LaunchKind.KERNEL, LaunchKind.RANGE, LaunchKind.GRAPH),
    ]
    assert ranged.metrics.number("launch__registers_per_thread") is None
    assert graph.metrics.at(0).base_value is None


def test_strings_go_on_over_blocks_and_instances_keep_their_addresses() -> None:
    again = read_bytes(sample()).launches[1]
    found = again.metrics.find("smsp__pcsamp_warps")
    assert found is not None
    assert [(one.key, one.value) for one in found.instances] == [(0x7F00, 2), (0x7F10, 3)]
    assert again.metrics.at(2).value == "CachePreferNone"


def test_a_damaged_instance_is_left_out() -> None:
    damaged = (
        writer.metric(0, 5)
        + writer.block_of(3, b"\x0a\xff")
        + writer.block_of(3, writer.block_of(2, writer.value(4)))
    )
    report = read_bytes(writer.report(Block(strings=("m",), kernels=(writer.kernel("k", (damaged,)),))))
    assert [(one.key, one.value) for one in report.launches[0].metrics.at(0).instances] == [(None, 4)]


def test_rules_carry_type_text_and_speedup() -> None:
    (rule,) = read_bytes(sample()).launches[0].rules
    assert (rule.name, rule.type, rule.speedup_percent) == ("SharedConflicts", RuleType.OPTIMISATION, 12.5)
    assert rule.speedup_scope == "global"


def test_units_by_name_agree_with_the_tools_raw_page() -> None:
    """Wherever a unit decides how a value is converted; plain counts are named more or less finely."""
    csv.field_size_limit(2**31 - 1)
    with RAW_PAGE.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        names, units = next(rows), next(rows)
    launches = read_bytes(RAW_PAGE.read_bytes()).launches
    tool = dict(zip(launches[0].metrics.columns.names, launches[0].metrics.base_units, strict=True))
    assert len(names) == len(units)
    wrong = {
        name: (base_unit(name), unit)
        for name, unit in tool.items()
        if unit in CONVERTED and base_unit(name) != unit
    }
    # Two names for a rate of writes that the tool itself gives in bytes.
    assert set(wrong) <= {
        "derived__lts__lts2xbar_bytes.sum.peak_sustained",
        "derived__lts__lts2xbar_bytes.sum.per_second",
    }


@pytest.mark.parametrize("cut", [5, 9, 30, 200, 600])
def test_a_cut_off_report_gives_what_came_before(cut: int) -> None:
    report = read_bytes(sample()[:-cut])
    assert report.warnings
    assert "cut off or damaged" in report.warnings[0]
    assert 1 <= len(report.launches) < 4 or report.error is not None


@pytest.mark.parametrize(
    "lie", [b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", struct.pack("<I", 3), b"", b"\0" * 64]
)
def test_lying_lengths_are_an_answer(lie: bytes) -> None:
    report = read_bytes(writer.MAGIC + lie + b"\x08\x07junk")
    assert report.launches == ()
    assert report.error is not None


@settings(max_examples=150, deadline=None)
@given(at=st.integers(0, len(sample()) - 1), byte=st.integers(0, 255), length=st.integers(1, 40))
def test_no_change_of_a_report_raises(at: int, byte: int, length: int) -> None:
    changed = bytearray(sample())
    changed[at : at + length] = bytes([byte]) * length
    for launch in read_bytes(bytes(changed)).launches:
        list(launch.metrics)


def test_a_stripped_report_holds_its_counters_and_nothing_private() -> None:
    stripped = strip(sample())
    for private in (SECRET, HOST, "private", "/srv", "TOKEN", "--export", "later versions"):
        assert private.encode() not in stripped.data, private
    before, after = read_bytes(sample()), read_bytes(stripped.data)
    assert [list(one.metrics) for one in after.launches][:3] == [
        list(one.metrics) for one in before.launches
    ][:3]
    assert after.launches[0].rules[0].text == "See app.cu on host: conflicts."
    assert after.device_attributes == before.device_attributes
    assert (stripped.launches, stripped.sources) == (4, 1)


def test_a_stripped_report_is_stripped_to_itself() -> None:
    once = strip(sample()).data
    assert strip(once).data == once


def test_half_a_report_is_not_stripped() -> None:
    with pytest.raises(InvalidInputError, match="damaged"):
        strip(sample()[:-20])
    with pytest.raises(InvalidInputError, match="not a"):
        strip(b"ID,Process ID")
