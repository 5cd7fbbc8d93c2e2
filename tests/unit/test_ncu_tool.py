"""Finding ncu, its rights and its command line, over folders made like a machine's."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.domain.report import ReportFormat
from app.ncu.capture import CellRange, cell_range, command
from app.ncu.capture_sets import QUICK_METRICS, CaptureSet
from app.ncu.reading import read_bytes, read_report
from app.ncu.refusals import CAUSES, Cause, cause_of
from app.ncu.tool import CounterRights, counter_rights, find_tool, in_container

SAYS_VERSION = (
    "#!/bin/sh\necho 'NVIDIA (R) Nsight Compute Command Line Profiler'\necho 'Version 2025.3.1.0 (build 1)'\n"
)

CAPTURE = Path(__file__).parents[1] / "data" / "ncu" / "gemm.raw.csv"


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def test_the_newest_installed_tool_is_found_and_asked_for_its_version(tmp_path: Path) -> None:
    program(tmp_path / "opt/nvidia/nsight-compute/2024.1.0/ncu", SAYS_VERSION)
    newest = program(tmp_path / "opt/nvidia/nsight-compute/2025.3.1/ncu", SAYS_VERSION)
    found = find_tool(tmp_path, search_path="")
    assert found is not None
    assert (found.path, found.version) == (newest, "2025.3.1.0")


def test_the_search_path_comes_first_and_no_tool_is_an_answer(tmp_path: Path) -> None:
    assert find_tool(tmp_path, search_path="") is None
    named = program(tmp_path / "bin/ncu", SAYS_VERSION)
    program(tmp_path / "usr/local/cuda/bin/ncu", SAYS_VERSION)
    found = find_tool(tmp_path, search_path=str(named.parent))
    assert found is not None
    assert found.path == named


def test_a_tool_that_does_not_start_has_no_version(tmp_path: Path) -> None:
    program(tmp_path / "usr/local/cuda/bin/ncu", "#!/bin/sh\nexit 127\n")
    found = find_tool(tmp_path, search_path="")
    assert found is not None
    assert found.version is None


@pytest.mark.parametrize(
    ("params", "capabilities", "rights"),
    [
        ("RmProfilingAdminOnly: 0\n", "0", CounterRights.ALL),
        ("RmProfilingAdminOnly: 1\n", "000001ffffffffff", CounterRights.THIS_PROCESS),
        ("RmProfilingAdminOnly: 1\n", "00000000a80425fb", CounterRights.NONE),
        ("Mobile: 4294967295\n", "0", CounterRights.UNKNOWN),
        (None, "0", CounterRights.UNKNOWN),
    ],
)
def test_rights_are_the_drivers_and_this_process_capabilities(
    tmp_path: Path, params: str | None, capabilities: str, rights: CounterRights
) -> None:
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/status").write_text(f"Name:\tx\nCapEff:\t{capabilities}\n")
    if params is not None:
        (tmp_path / "proc/driver/nvidia").mkdir(parents=True)
        (tmp_path / "proc/driver/nvidia/params").write_text(f"ResmanDebugLevel: 1\n{params}")
    assert counter_rights(tmp_path) is rights


def test_a_container_is_known_by_its_file(tmp_path: Path) -> None:
    assert not in_container(tmp_path)
    (tmp_path / ".dockerenv").touch()
    assert in_container(tmp_path)


def test_a_range_names_its_cell_and_only_ours_do() -> None:
    cell = CellRange("matmul", "register_tile", "m=64,n=64,k=64", "float32")
    assert cell_range(cell.name) == cell
    for other in ("", "roofladder", "roofladder:a:b:c", "other:a:b:c:d", "roofladder:a::c:d"):
        assert cell_range(other) is None


def test_the_command_leaves_clocks_alone_and_profiles_only_where_it_is_switched_on() -> None:
    words = command(Path("/x/ncu"), CaptureSet.FULL, Path("/data/r.ncu-rep"), ("python", "-m", "app.measure"))
    text = " ".join(words)
    assert "--clock-control none" in text
    assert "--profile-from-start off --nvtx" in text
    assert text.endswith("--set full python -m app.measure")
    assert "--export /data/r " in text


def test_the_quick_set_asks_for_each_metric_once() -> None:
    assert len(QUICK_METRICS) == len(set(QUICK_METRICS))
    assert 30 <= len(QUICK_METRICS) <= 60


def test_a_real_chip_has_every_metric_of_the_quick_set() -> None:
    """Held to a full capture of an H200 by the quantity; three are no part of that set in any roll-up."""
    launch = read_report(CAPTURE).launches[0]
    known = {name.partition(".")[0] for name in launch.metrics.columns.names}
    unknown = {name for name in QUICK_METRICS if name.partition(".")[0] not in known}
    assert unknown <= {"sm__inst_executed_pipe_tensor.sum", "lts__t_bytes.sum", "l1tex__t_bytes.sum"}


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.code)
def test_each_refusal_is_told_with_its_way_out(cause: Cause) -> None:
    word, advice = cause.word, cause.advice
    report = read_bytes(f"==ERROR== xx {word} xx\n".encode())
    assert report.dialect.format is ReportFormat.NONE
    assert report.error is not None
    assert word in report.error.message
    assert advice in report.error.message
    assert cause_of(f"xx {word}") is cause
