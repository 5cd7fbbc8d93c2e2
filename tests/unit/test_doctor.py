"""What the doctor says of this machine, and that a device's own word wins."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from app.domain.device import Capability
from app.services import doctor


class VersionInfo(NamedTuple):
    major: int
    minor: int
    micro: int


def named(diagnosis: doctor.Diagnosis) -> dict[str, Capability]:
    return {check.name: check for check in diagnosis.checks}


def test_this_machine_can_measure_on_its_cpu(tmp_path: Path) -> None:
    diagnosis = doctor.diagnose(tmp_path / "not" / "made" / "yet")
    assert diagnosis.missing_needed == ()
    assert not (tmp_path / "not").exists(), "a doctor changes nothing"


def test_each_thing_that_the_product_uses_is_there_once(tmp_path: Path) -> None:
    names = [check.name for check in doctor.diagnose(tmp_path).checks]
    assert len(names) == len(set(names))
    assert {"SQLite", "Disk", "Data folder", "Numba", "NVIDIA driver", "NVRTC", "CUDA headers"} <= set(names)
    assert set(names) >= doctor.NEEDED


def test_what_is_missing_says_what_fails_and_the_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "DRIVER_FILE", tmp_path / "no driver")
    driver = named(doctor.diagnose(tmp_path))["NVIDIA driver"]
    assert not driver.ok
    assert "CPU ladder" in driver.without_it
    assert "driver" in driver.fix


def test_the_drivers_version_is_read_from_its_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "version").write_text(
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27\n"
    )
    monkeypatch.setattr(doctor, "DRIVER_FILE", tmp_path / "version")
    assert named(doctor.diagnose(tmp_path))["NVIDIA driver"] == Capability("NVIDIA driver", True, "580.65.06")


def test_an_old_sqlite_beside_a_new_python_stops_the_cpu_ladder_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "version_info", VersionInfo(3, 12, 1))
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))
    monkeypatch.setitem(sys.modules, "pysqlite3", None)
    diagnosis = doctor.diagnose(tmp_path)
    assert [check.name for check in diagnosis.missing_needed] == ["SQLite"]
    assert "pysqlite3" in diagnosis.missing_needed[0].fix


def test_the_devices_own_word_replaces_ours_and_adds_rows(tmp_path: Path) -> None:
    told = (Capability("Numba", False, "import failed"), Capability("Clocks readable", True, "NVML"))
    checks = named(doctor.diagnose(tmp_path, told))
    assert checks["Numba"].detail == "import failed"
    assert checks["Clocks readable"].ok
