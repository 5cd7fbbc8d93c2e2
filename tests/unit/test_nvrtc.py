"""The compiler's edge: reports, failures in one line, and a cache that survives damage."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest

from app.backends import nvrtc
from app.domain.errors import CompileFailure, UnavailableError

TWO_KERNELS = """
extern "C" __global__ void small(float* x) { x[threadIdx.x] = 1.0f; }
extern "C" __global__ void stacked(float* x, int i) {
    float a[100];
    for (int j = 0; j < 100; j++) a[j] = x[j];
    x[0] = a[i];
}
"""
SPILLED_LOG = """
ptxas info    : Compiling entry function 'other' for 'sm_90a'
ptxas info    : Function properties for other
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
ptxas info    : Compiling entry function 'k' for 'sm_90a'
ptxas info    : Function properties for k
ptxas         .     2048 bytes stack frame, 3092 bytes spill stores, 3808 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 2048 bytes cumulative stack size, 8320 bytes smem
"""


def test_the_report_is_of_the_entry_asked_for() -> None:
    small = nvrtc.compile_cubin(TWO_KERNELS, "small", "sm_90a").report
    stacked = nvrtc.compile_cubin(TWO_KERNELS, "stacked", "sm_90a").report
    assert (small.stack_bytes, stacked.stack_bytes) == (0, 400)
    assert small.architecture == "sm_90a"
    assert small.compiler == f"NVRTC {nvrtc.nvrtc_version()}"
    assert "--gpu-architecture=sm_90a" in small.options


@pytest.mark.parametrize(("version", "expected"), [("12.8", False), ("13.0", True), ("13.5", True)])
def test_nvrtcs_own_cache_is_off_where_it_exists(version: str, expected: bool) -> None:
    """Seen with NVRTC 13.0 on a GPU: the second compilation of a source came back without a report."""
    assert ("--no-cache" in nvrtc._report_options(version)) is expected


def test_spills_are_read_from_the_right_kernel() -> None:
    report = nvrtc.parse_report(SPILLED_LOG, "k", "NVRTC 13.0", "sm_90a")
    assert (report.spill_store_bytes, report.spill_load_bytes, report.spill_bytes) == (3092, 3808, 6900)
    assert (report.registers, report.static_shared_bytes, report.stack_bytes) == (32, 8320, 2048)
    assert nvrtc.parse_report(SPILLED_LOG, "other", "NVRTC 13.0", "sm_90a").spill_bytes == 0


def test_a_syntax_error_is_one_line_with_its_place() -> None:
    with pytest.raises(CompileFailure) as caught:
        nvrtc.compile_cubin('extern "C" __global__ void k(float* x) {\n x[0] = y; }', "k", "sm_80")
    assert caught.value.message == 'k does not compile: k.cu(2): error: identifier "y" is undefined'


def test_an_unknown_architecture_and_a_missing_kernel_are_compile_failures() -> None:
    with pytest.raises(CompileFailure, match="architecture"):
        nvrtc.compile_cubin(TWO_KERNELS, "small", "sm_12345")
    with pytest.raises(CompileFailure, match="no kernel called 'absent'"):
        nvrtc.compile_cubin(TWO_KERNELS, "absent", "sm_80")


def test_a_second_compilation_comes_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = nvrtc.compile_cubin(TWO_KERNELS, "small", "sm_80", cache_dir=tmp_path)

    def must_not_run(*_: Any) -> Any:
        raise AssertionError("compiled again")

    monkeypatch.setattr(nvrtc, "_compile", must_not_run)
    assert nvrtc.compile_cubin(TWO_KERNELS, "small", "sm_80", cache_dir=tmp_path) == first
    for changed in (
        {"source": TWO_KERNELS + "\n"},
        {"entry": "stacked"},
        {"architecture": "sm_90a"},
        {"options": ("--fmad=false",)},
    ):
        arguments: dict[str, Any] = {
            "source": TWO_KERNELS,
            "entry": "small",
            "architecture": "sm_80",
            **changed,
        }
        with pytest.raises(AssertionError, match="compiled again"):
            nvrtc.compile_cubin(**arguments, cache_dir=tmp_path)


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"cubin": "AAAA", "report": {"options": []}}', None])
def test_a_damaged_cache_entry_is_compiled_anew(tmp_path: Path, damage: bytes | None) -> None:
    first = nvrtc.compile_cubin(TWO_KERNELS, "small", "sm_80", cache_dir=tmp_path)
    (entry,) = tmp_path.glob("*.json")
    whole = entry.read_bytes()
    entry.write_bytes(whole.replace(b'"cubin": "f0VM', b'"cubin": "f0VN') if damage is None else damage)
    assert nvrtc.compile_cubin(TWO_KERNELS, "small", "sm_80", cache_dir=tmp_path) == first
    assert entry.read_bytes() == whole


def test_an_unusable_cache_folder_costs_nothing_but_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert nvrtc.compile_cubin(TWO_KERNELS, "small", "sm_80", cache_dir=blocked).cubin


def test_a_missing_wheel_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real_import = builtins.__import__

    def without_cuda(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("cuda"):
            raise ImportError(f"No module named {name!r}")
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_cuda)
    with pytest.raises(UnavailableError, match=r"pip install -e '\.\[nvrtc\]'"):
        nvrtc.nvrtc_version()


@pytest.mark.parametrize(
    ("capability", "architecture"),
    [
        ((7, 5), "sm_75"),
        ((8, 0), "sm_80"),
        ((8, 9), "sm_89"),
        ((9, 0), "sm_90a"),
        ((10, 0), "sm_100a"),
        ((12, 0), "sm_120a"),
    ],
)
def test_architecture_of_a_device(capability: tuple[int, int], architecture: str) -> None:
    assert nvrtc.architecture_of(capability) == architecture
