"""Damaged, hostile and odd exports: never an exception, bounded time, no other answer for being fast."""

from __future__ import annotations

import tracemalloc
from io import StringIO
from math import isinf
from time import perf_counter

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.domain.report import Report
from app.ncu import records
from app.ncu.csv_report import CsvStream
from app.ncu.limits import Limits
from app.ncu.reading import read_bytes
from app.ncu.records import TOO_LONG
from app.ncu.rows_by_launch import TOO_MANY

LAUNCH = (
    '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size"'
)
DETAILS = f'{LAUNCH},"Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type"'
RAW = f'{LAUNCH},"gpu__time_duration.sum","dram__bytes.sum","launch__kernel_name"'
SUMMARY = '"Process ID","Kernel Name","Invocations","Metric Name","Metric Unit","Minimum","Maximum","Average"'
SOURCE = '"Kernel Name","k"\n"Address","Source","# Samples","stall_wait"'
HEADS = (DETAILS, RAW, SUMMARY, SOURCE, DETAILS.replace('"', "").replace(",", ";"))
NUMBERS = (
    "1,234.5",
    "1.234,5",
    "65,77",
    "n/a",
    "nan",
    "inf",
    "-221",
    "1e999",
    "1_0",
    "(1; 2)",
    "2,634 (0x1: 1)",
    "",
)
WORDS = ("k(float *, int)", 'operator""_x', "two\nlines", "a,b", "<b>", "=1+1", "größe", "\ufeff", "x" * 300)
CELLS = st.sampled_from(NUMBERS + WORDS) | st.integers(-9, 10**9).map(str) | st.floats().map(repr)
UNITS = st.sampled_from(("ns", "us", "byte", "Gbyte/s", "%", "", "register/thread", "?/?"))


def _row(cells: list[str]) -> str:
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)


@st.composite
def _launch_row(draw: st.DrawFn) -> str:
    number = str(draw(st.integers(0, 2)))
    front = [number, "7", "app", "host", draw(st.sampled_from(WORDS)), "1", "7", "(32, 1, 1)", "(8, 1, 1)"]
    rest = draw(st.lists(CELLS, min_size=0, max_size=8))
    named = ["Section", draw(st.sampled_from(("a", "Duration", "gpu__time_duration.sum"))), draw(UNITS)]
    return _row(front + draw(st.sampled_from((named, [], [""] * 9))) + rest)


LINES = st.one_of(
    _launch_row(),
    _launch_row(),
    st.lists(CELLS, min_size=1, max_size=9).map(_row),
    st.sampled_from(
        (*HEADS, "==PROF== Connected", "==ERROR== ERR_NVGPUCTRPERM", "output, of the program", '"', "")
    ),
    st.text(max_size=40),
)


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """An export with rows of every kind, then some bytes lost or replaced."""
    lines = [draw(st.sampled_from(HEADS)), *draw(st.lists(LINES, max_size=60))]
    text = draw(st.sampled_from(("\n", "\r\n"))).join(lines)
    data = text.encode(draw(st.sampled_from(("utf-8", "utf-8", "utf-8", "utf-16", "cp1252"))), "replace")
    for place in draw(st.lists(st.integers(0, len(data)), max_size=3)):
        data = data[:place] + draw(st.binary(max_size=4)) + data[place + draw(st.integers(0, 4)) :]
    return data


def _holds_together(report: Report) -> None:
    assert report.launches or report.error is not None
    for launch in report.launches:
        metrics = launch.metrics
        widths = {
            len(metrics.raw),
            len(metrics.units),
            len(metrics.base_values),
            len(metrics.scales),
            len(metrics),
        }
        assert len(widths) == 1
        assert not any(map(isinf, metrics.base_values))
        assert len(list(metrics)) == len(metrics)


def _facts(report: Report) -> object:
    launches = [(repr(launch), [repr(metric) for metric in launch.metrics]) for launch in report.launches]
    return [told.split("metrics=")[0] for told, _ in launches], [m for _, m in launches], dict(report.skipped)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=documents() | st.binary(max_size=300))
@example(data=b"")
@example(data=DETAILS.encode() + b'\n"0","7')
def test_any_bytes_give_a_report_and_batches_change_nothing(data: bytes) -> None:
    report = read_bytes(data)
    _holds_together(report)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "plain_batches", lambda *_: [])
        patch.setattr(records, "quoted_batches", lambda *_: [])
        assert _facts(read_bytes(data)) == _facts(report)


def _launch(number: int, rest: str) -> str:
    return f'"{number}","7","app","host","k","1","7","(32, 1, 1)","(8, 1, 1)",{rest}'


def test_rows_between_lines_of_output_are_the_same_rows() -> None:
    rows = [_launch(n // 3, f'"S","m{n % 3}","ns","{n}"') for n in range(3000)]
    whole = read_bytes("\n".join([DETAILS, *rows]).encode())
    spread = [line for n, row in enumerate(rows) for line in (["output, 5"] * (n % 50 == 0) + [row])]
    assert len(whole.launches) == 1000
    assert _facts(read_bytes("\n".join([DETAILS, *spread]).encode()))[:2] == _facts(whole)[:2]  # type: ignore[index]


ONE = '"S","m","ns","1"'
NVTX = '"x:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"'
RANGES = '"' + '"<d>:' + "<a>::" * 30_000 + '"'
HOSTILE: dict[str, list[str]] = {
    "a million columns": [
        LAUNCH + "".join(f',"c{n}"' for n in range(10**6)),
        _launch(0, ",".join(['"1"'] * 10**6)),
    ],
    "a name of 100 kB": [DETAILS, _launch(0, ONE).replace('"k"', f'"{"<b>" * 33_000}"')],
    "an endless quote": [DETAILS, '"0","7","' + "a,\n" * 200_000],
    "an endless line": [DETAILS, "x" * 5_000_000],
    "quotes only": [DETAILS, '"' * 2_000_000],
    "ranges that never end": [
        DETAILS.replace('"Kernel Name"', f'{NVTX},"Kernel Name"'),
        _launch(0, ONE).replace('"k"', f'{RANGES},"k"'),
    ],
    "one launch without end": [DETAILS, *(_launch(0, f'"S","m{n}","ns","1"') for n in range(60_000))],
    "heads over and over": [DETAILS] * 20_000,
    "output between all rows": [DETAILS, *(_launch(n, ONE) + "\nx" for n in range(9_000))],
    "lists in lists": [RAW, *(_launch(n, f'"{"(" * 999}1; 2{")" * 999}","1","2"') for n in range(500))],
    "digits without end": [DETAILS, _launch(0, f'"S","m","ns","{"1,000" * 100_000}"')],
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_exports_take_little_time_and_memory(kind: str) -> None:
    data = "\n".join(HOSTILE[kind]).encode()
    start = perf_counter()
    _holds_together(read_bytes(data))
    assert perf_counter() - start < 10


def test_what_lies_beyond_a_limit_is_counted() -> None:
    rows = "\n".join(_launch(0, f'"S","m{n}","ns","1"') for n in range(30))
    report = read_bytes(f"{DETAILS}\n{rows}".encode(), Limits(columns=20))
    assert (len(report.launches[0].metrics), report.skipped[TOO_MANY]) == (20, 10)
    cut = read_bytes(f'{DETAILS}\n"0","7","\n{"x" * 500}'.encode(), Limits(record_chars=300))
    assert cut.skipped[TOO_LONG] == 1


def test_numbers_that_do_not_fit_the_file_have_no_value() -> None:
    values = ("1,234.5", "12.75", "65,77", "2.508.800", "1234,567", "0.5,123", "0.1", "0.2", "0.3")
    rows = [_launch(0, f'"S","m{n}","ns","{value}"') for n, value in enumerate(values)]
    report = read_bytes("\n".join([DETAILS, *rows]).encode())
    metrics = report.launches[0].metrics
    assert [metrics.number(f"m{n}") for n in range(6)] == [1234.5, 12.75, None, None, None, None]
    assert next(count for what, count in report.skipped.items() if "look like numbers" in what) == 4


@pytest.mark.parametrize("sign", [" ", "\u202f", "'"])
def test_other_signs_that_group_thousands(sign: str) -> None:
    value = f"1{sign}234{sign}567.5"
    row = _launch(0, f'"S","m","","{value}"')
    report = read_bytes(f"{DETAILS}\n{row}".encode())
    assert report.launches[0].metrics.number("m") == 1234567.5
    assert report.dialect.thousands == sign


def test_memory_of_a_stream_does_not_grow_with_the_file() -> None:
    def peak(launches: int) -> int:
        rows = (_launch(n, f'"{n % 50},123","5","k"') + "\n" for n in range(launches))
        text = StringIO(f"{RAW}\n" + "".join(rows))
        tracemalloc.start()
        count = sum(1 for _ in CsvStream(text))
        grown = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == launches
        return grown

    assert peak(16_000) < 1.2 * peak(8_000)
