"""Nsight Compute on this machine: where it is, which version, and whether it may read counters here.

Files are looked at and `ncu --version` is run; no GPU library is loaded.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

PLACES = ("usr/local/cuda/bin", "opt/nvidia/nsight-compute")
VERSION_WAIT_S = 10.0
_CAP_SYS_ADMIN = 21  # bit of the effective capabilities
_CONTAINER_FILES = (".dockerenv", "run/.containerenv")


class CounterRights(StrEnum):
    """Whether a process here may read hardware counters."""

    ALL = "all"  # the driver lets everyone
    THIS_PROCESS = "this_process"  # administrators only, and this process is one
    NONE = "none"
    UNKNOWN = "unknown"  # no driver, or it does not say


@dataclass(frozen=True)
class Tool:
    """An installed ncu. version: as it prints it, None where it does not start."""

    path: Path
    version: str | None


def find_tool(root: Path = Path("/"), search_path: str | None = None) -> Tool | None:
    """The ncu of the search path, else the newest where NVIDIA's installers put it; None without one."""
    named = shutil.which("ncu", path=search_path)
    found = Path(named) if named else next(iter(_installed(root)), None)
    return None if found is None else Tool(found, _version(found))


def _installed(root: Path) -> list[Path]:
    found = [path for place in PLACES for path in (root / place).glob("**/ncu") if os.access(path, os.X_OK)]
    return sorted((path for path in found if path.is_file()), reverse=True)


def _version(path: Path) -> str | None:
    try:
        told = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=VERSION_WAIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"Version\s+(\d+(?:\.\d+)+)", told.stdout)
    return found[1] if found else None


def counter_rights(root: Path = Path("/")) -> CounterRights:
    """What driver and kernel say about this process and hardware counters."""
    try:
        told = (root / "proc/driver/nvidia/params").read_text(encoding="utf-8")
    except OSError:
        return CounterRights.UNKNOWN
    found = re.search(r"RmProfilingAdminOnly:\s*(\d)", told)
    if found is None:
        return CounterRights.UNKNOWN
    if found[1] == "0":
        return CounterRights.ALL
    return CounterRights.THIS_PROCESS if _is_administrator(root) else CounterRights.NONE


def _is_administrator(root: Path) -> bool:
    try:
        status = (root / "proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return False
    found = re.search(r"^CapEff:\s*([0-9a-fA-F]+)", status, re.MULTILINE)
    return found is not None and bool(int(found[1], 16) >> _CAP_SYS_ADMIN & 1)


def in_container(root: Path = Path("/")) -> bool:
    """Whether this is a container, where rights are given from outside."""
    return any((root / name).exists() for name in _CONTAINER_FILES)
