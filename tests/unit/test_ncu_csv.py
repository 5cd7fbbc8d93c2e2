"""Every dialect of Nsight Compute's CSV: captures against their ground truth, other dialects by example."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from app.domain.report import LaunchKind, Report, ReportFormat
from app.ncu.reading import open_csv, read_bytes, read_report
from app.ncu.records import BROKEN
from app.ncu.surroundings import OUTPUT

CAPTURES = Path(__file__).parents[1] / "data" / "ncu"
EXPECTED: dict[str, dict[str, Any]] = json.loads((CAPTURES / "expected.json").read_text())
HEAD = ",".join(
    f'"{name}"'
    for name in (
        *("ID", "Process ID", "Process Name", "Host Name", "Kernel Name"),
        *("Section Name", "Metric Name", "Metric Unit", "Metric Value"),
    )
)


def row(number: int, name: str, unit: str, value: str, kernel: str = "k(float *)", process: int = 7) -> str:
    cells = (number, process, "app", "host", kernel, "Command line profiler metrics", name, unit, value)
    return ",".join(f'"{cell}"' for cell in cells)


def read(*lines: str, end: str = "\n", encoding: str = "utf-8") -> Report:
    return read_bytes((end.join(lines) + end).encode(encoding))


TWO = (HEAD, row(0, "gpu__time_duration.sum", "ns", "7,488"), row(1, "gpu__time_duration.sum", "us", "4.224"))


@pytest.mark.parametrize("name", EXPECTED)
def test_captures_hold_what_is_known_of_them(name: str) -> None:
    expected, report = EXPECTED[name], read_report(CAPTURES / name)
    assert len(report.launches) == expected["launches"]
    if not report.launches:
        assert report.error is not None
        assert expected["message_contains"] in report.error.message
        return
    assert len({launch.kernel for launch in report.launches}) == expected["kernels"]
    assert report.launches[0].kernel == expected["first_kernel"]
    if "first_duration_ns" in expected:
        assert report.launches[0].duration_s == pytest.approx(expected["first_duration_ns"] * 1e-9, rel=1e-9)
    if "distinct_metric_names" in expected:
        names = {name for launch in report.launches for name in launch.metrics.columns.names}
        assert len(names) == expected["distinct_metric_names"]
    if "rules" in expected:
        kinds = Counter(rule.type.value for launch in report.launches for rule in launch.rules)
        assert kinds == expected["rules"]
    for check in expected.get("checks", ()):
        launch = next(one for one in report.launches if one.number == check["id"])
        found = next(m for m in launch.metrics if m.name == check["metric"])
        wanted = check["base_value"]
        assert found.base_value == (None if wanted is None else pytest.approx(wanted, rel=1e-7))


def test_a_raw_page_names_its_device() -> None:
    launch = read_report(CAPTURES / "gemm.raw.csv").launches[0]
    assert (launch.device_name, launch.compute_capability) == ("NVIDIA H200", "9.0")


def test_a_source_page_counts_instructions_and_samples() -> None:
    launches = read_report(CAPTURES / "variants" / "source-sass-cut.csv").launches
    views = [launch.source for launch in launches if launch.source]
    assert sum(len(view.lines) for view in views) == 1222
    assert sum(view.total_samples for view in views) == 17899
    assert views[0].lines[1].address == 0x7FD3C77A0010
    assert views[0].lines[1].values["Instructions Executed"] == 131072


def test_a_session_page_keeps_the_device_and_leaves_the_host() -> None:
    report = read_report(CAPTURES / "variants" / "session.csv")
    assert report.dialect.format is ReportFormat.SESSION
    assert report.device_attributes["Device 0"]["display_name"] == "NVIDIA H200"
    assert sum(report.skipped.values()) > 10
    assert "Host Name" not in str(report.device_attributes)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_any_encoding_and_line_end(encoding: str, end: str) -> None:
    kernel = "größe" if encoding == "cp1252" else "größe_Σ"
    report = read(HEAD, row(0, "gpu__time_duration.sum", "ns", "5", kernel), end=end, encoding=encoding)
    assert [launch.kernel for launch in report.launches] == [kernel]


def test_output_of_the_program_may_stand_anywhere() -> None:
    report = read(
        "==PROF== Connected to process 7 (/usr/bin/app)", 'size: 3, "quoted" and, more',
        TWO[0], TWO[1], "still running, 50 %", TWO[2], "==PROF== Disconnected from process 7", 'done "',
    )  # fmt: skip
    assert [launch.duration_s for launch in report.launches] == pytest.approx([7.488e-6, 4.224e-6])
    assert report.skipped[OUTPUT] == 5


def test_semicolons_without_quotes() -> None:
    lines = [
        line.replace('"', "").replace(",", ";") for line in (TWO[0], row(0, "dram__bytes.sum", "byte", "5"))
    ]
    report = read(*lines)
    assert report.launches[0].metrics.number("dram__bytes.sum") == 5
    assert report.dialect.delimiter == ";"


def test_numbers_follow_the_convention_of_the_whole_file() -> None:
    values = {"a": "2.508.800", "b": "65,77", "c": "117.344", "d": "-221", "e": "n/a", "f": "nan", "g": "inf"}
    report = read(HEAD, *(row(0, name, "", value) for name, value in values.items()))
    metrics = report.launches[0].metrics
    assert [metrics.number(name) for name in "abcdefg"] == [2508800, 65.77, 117344, -221, None, None, None]
    assert [m.value for m in metrics][4:] == [None, "nan", "inf"]
    assert (report.dialect.thousands, report.dialect.decimal) == (".", ",")


def test_numbers_of_both_conventions_are_told() -> None:
    report = read(
        HEAD, *(row(0, f"m{n}", "", v) for n, v in enumerate(("1,234.5", "0.25", "12.75", "65,77")))
    )
    assert report.launches[0].metrics.number("m0") == 1234.5
    assert "decimal sign" in report.warnings[0]


@pytest.mark.parametrize(
    ("unit", "printed", "base", "base_unit"),
    [
        *(("nsecond", "7", 7, "ns"), ("ms", "1.5", 1.5e6, "ns"), ("Kbyte", "2", 2e3, "byte")),
        *(("Tbyte/s", "3", 3e12, "byte/s"), ("byte/second", "3", 3, "byte/s"), ("Ghz", "1.5", 1.5e9, "hz")),
        *(("cycle/nsecond", "1.5", 1.5e9, "hz"), ("sector/ns", "2", 2e9, "sector/s"), ("%", "50", 50, "%")),
        *(("Kbyte/block", "1", 1e3, "byte/block"), ("inst", "9", 9, "inst"), ("", "9", 9, "")),
    ],
)
def test_each_cell_is_converted_by_its_own_unit(unit: str, printed: str, base: float, base_unit: str) -> None:
    (metric,) = read(HEAD, row(0, "m", unit, printed)).launches[0].metrics
    assert metric.base_value == pytest.approx(base)
    assert metric.base_unit == base_unit
    assert metric.value == pytest.approx(float(printed))
    assert (metric.unit, metric.raw) == (unit, printed)


def test_a_launch_is_its_process_and_its_number() -> None:
    first, again = row(0, "m", "", "1", process=7), row(0, "m", "", "2", process=8)
    report = read("==PROF== run 1", HEAD, first, "==PROF== run 2", HEAD, again)
    assert [(one.number, one.process_id) for one in report.launches] == [(0, 7), (0, 8)]


def test_names_with_quotes_that_are_not_doubled_keep_their_columns() -> None:
    nvtx = "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"
    head = HEAD.replace('"Kernel Name"', f'"{nvtx}","Kernel Name"')
    ranges = '7  ""<default domain>:inner "q":none:none:none:none:none:none"" '
    lines = [
        row(n, "gpu__time_duration.sum", "ns", "5").replace('"host",', f'"host","{ranges}",') for n in (0, 1)
    ]
    report = read(head, *lines)
    assert [launch.nvtx for launch in report.launches] == [('inner "q"',)] * 2
    assert [launch.duration_s for launch in report.launches] == pytest.approx([5e-9, 5e-9])


def test_a_cell_may_run_over_lines_and_a_lost_quote_costs_one_row() -> None:
    torn = row(0, "gone", "", "1").removesuffix('"').replace('"1', '"1 and no end')
    report = read(HEAD, row(0, "a", "", "1", "two\nlines"), torn, row(1, "b", "", "2"))
    assert [launch.kernel for launch in report.launches] == ["two\nlines", "k(float *)"]
    assert report.skipped[BROKEN] == 1


def test_a_cut_off_file_keeps_what_came_before() -> None:
    report = read_bytes("\n".join(TWO).encode()[:-9])
    assert len(report.launches) == 1
    assert "cut off" in report.warnings[-1]


def test_a_wide_page_shares_columns_and_reads_units_and_instances() -> None:
    launch = '"ID","Process ID","Process Name","Host Name","Kernel Name","Block Size","Grid Size"'
    head = f'{launch},"dram__bytes.sum","s"'
    values = ('"2.33","2,634 (0x10: 0; 0x20: 2,634)"', '"1","(1; 2)"')
    rows = [f'"{n}","7","a","h","k","(16, 16, 1)","(8, 1, 1)",{v}' for n, v in enumerate(values)]
    report = read(head, '"","","","","","","","Mbyte",""', *rows)
    first, second = report.launches
    assert (first.block, first.grid) == ((16, 16, 1), (8, 1, 1))
    assert first.metrics.columns is second.metrics.columns
    assert first.metrics.number("dram__bytes.sum") == pytest.approx(2.33e6)
    listed = first.metrics.at(1).instances
    assert [(one.key, one.value) for one in listed] == [(0x10, 0), (0x20, 2634)]
    assert second.metrics.at(1).base_value is None
    assert [one.value for one in second.metrics.at(1).instances] == [1, 2]


def test_ranges_have_no_block_and_say_so() -> None:
    launch = read_report(CAPTURES / "variants" / "range.csv").launches[0]
    assert (launch.kind, launch.block, launch.stream) == (LaunchKind.RANGE, None, None)


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (b"", "empty", "Export it again"),
        (b"\x00\x01\x02" * 500, "not_text", "not an output"),
        (b"%PDF-1.7 ...", "not_text", "PDF"),
        (b"PK\x03\x04....", "not_text", "zip"),
        (b"<!DOCTYPE html><html>", "not_text", "web page"),
        (b"plain words\n" * 3, "not_ncu", "without a table"),
        (b"==ERROR== ERR_NVGPUCTRPERM - no permission\n", "no_counter_rights", "SYS_ADMIN"),
        (b"==WARNING== No kernels were profiled.\n", "no_kernels", "filters"),
        (b"==PROF== Connected to process 7\n", "no_table", "--csv"),
        (HEAD.encode(), "no_rows", "no launch"),
        (b"  k (1, 1, 1)\n    Section: GPU Speed Of Light\n", "text_page", "--csv"),
        (
            b"==PROF== Connected to process 7\n==WARNING== No metrics to collect.\n",
            "tool_error",
            "No metrics",
        ),
        (
            b"==PROF== Target process 9 terminated before first instrumented API call.\n",
            "tool_error",
            "before",
        ),
    ],
)
def test_a_file_without_launches_says_why_and_what_to_do(content: bytes, code: str, words: str) -> None:
    report = read_bytes(content)
    assert report.error is not None
    assert report.error.code == code
    assert any(word in report.error.message for word in words.split("|"))


def test_stripped_quotes_are_refused_because_numbers_fall_apart() -> None:
    lines = [
        line.replace('"', "") for line in (HEAD, row(0, "m", "byte", "2,816"), row(0, "n", "", "1,363.20"))
    ]
    report = read(*lines)
    assert report.launches == ()
    assert report.error is not None
    assert report.error.code == "quotes_stripped"


def test_a_stream_hands_on_a_launch_before_the_file_ends(tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    path.write_text("\n".join(TWO), encoding="utf-8")
    with open_csv(path) as stream:
        assert next(iter(stream)).number == 0


def test_a_head_behind_output_that_did_not_end_its_line() -> None:
    report = read(f'==PROF== Profiling "k" - 1: 0%....100%{TWO[0]}', TWO[1], f"done{TWO[2]}")
    assert [launch.number for launch in report.launches] == [0, 1]
    assert report.skipped[OUTPUT] == 2


def test_rows_saved_again_by_other_programs() -> None:
    numbered = [f"{'' if n == 0 else n},{line}" for n, line in enumerate(TWO)]
    bare = [
        line.replace('"k(float *)"', "k").replace('"7,488"', "7488").replace('"', "") for line in numbered
    ]
    for lines in (numbered, bare):
        assert [one.duration_s for one in read(*lines).launches] == pytest.approx([7.488e-6, 4.224e-6])


def test_a_wide_page_that_lost_its_units_is_told() -> None:
    head = '"ID","Process ID","Kernel Name","gpu__time_duration.sum"'
    whole, broken = (
        read(head, '"0","7","k","628480"').launches[0],
        read(head, '"0","7","k","6.25"').launches[0],
    )
    assert whole.duration_s == pytest.approx(628480e-9)
    assert broken.duration_s is None
    assert "units" in read(head, '"0","7","k","1"').warnings[0]


def test_a_source_page_by_line_names_kernel_and_file() -> None:
    head = '"Line No","Source","# Samples","Instructions Executed"'
    blocks = [('"Kernel Name","k(int)"', '"File Name","a.cu"', head, '"2","x = ""q"";","1,000","3"')] * 2
    views = read(*(line for block in blocks for line in block)).launches
    assert [(one.kernel, one.source and one.source.file_name) for one in views] == [("k(int)", "a.cu")] * 2
    assert views[0].source is not None
    assert (views[0].source.total_samples, views[0].source.lines[0].line) == (1000, 2)


def test_launches_without_numbers_are_told_apart_by_what_else_describes_them() -> None:
    head = '"Kernel Name","Block Size","Metric Name","Metric Unit","Metric Value"'
    rows = [f'"{kernel}","(1, 1, 1)","m","","{n}"' for n, kernel in enumerate("aab")]
    assert [len(one.metrics) for one in read(head, *rows).launches] == [2, 1]


def test_one_metric_with_two_values_is_told() -> None:
    report = read(HEAD, row(0, "m", "", "1"), row(0, "m", "", "2"))
    assert report.launches[0].metrics.number("m") == 1
    assert "twice" in report.warnings[0]


@pytest.mark.parametrize("line", [b"\n", b"x\n", b'"\n'], ids=["blank", "output", "quote"])
def test_millions_of_lines_that_are_no_rows_are_an_answer(line: bytes) -> None:
    report = read_bytes(line * 3_000_000)
    assert report.launches == ()
    assert report.error is not None
