"""Which extras a machine gets, and what a failed set-up says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools import bootstrap

ROOT = Path(__file__).resolve().parents[2]

SMI = "| NVIDIA-SMI 580.65.06   Driver Version: 580.65.06   CUDA Version: {version}     |"
MODULE = (
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  {branch}.65.06  Sun Jul 27 07:13:28 UTC 2025\nGCC 12"
)


@pytest.mark.parametrize(
    ("version", "extra"), [("13.0", "cuda13"), ("12.4", "cuda12"), ("14.1", "cuda13"), ("11.8", None)]
)
def test_the_drivers_cuda_version_picks_the_extra(version: str, extra: str | None) -> None:
    assert bootstrap.cuda_extra(SMI.format(version=version)) == extra


@pytest.mark.parametrize(
    ("branch", "extra"), [(580, "cuda13"), (590, "cuda13"), (535, "cuda12"), (470, None)]
)
def test_without_nvidia_smi_the_kernel_modules_branch_picks_it(branch: int, extra: str | None) -> None:
    assert bootstrap.cuda_extra("", MODULE.format(branch=branch)) == extra


def test_no_driver_means_no_cuda_extra() -> None:
    assert bootstrap.cuda_extra("", "") is None


def test_a_failed_install_says_why_in_one_line_and_where_the_output_is(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "bootstrap.py").write_text((ROOT / "tools" / "bootstrap.py").read_text())
    (tmp_path / "pyproject.toml").write_text("this is no TOML")  # refused before anything is fetched
    done = subprocess.run(
        [sys.executable, "tools/bootstrap.py", "--extra", "dev"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "setup.log" in done.stderr
