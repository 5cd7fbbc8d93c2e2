"""What this machine can and cannot do for Roofladder, and the exact fix for what it cannot.

These checks read files and package metadata only: no GPU library is loaded, so they also run where
one is broken. What only the device itself can tell (clocks readable, counters permitted) comes from the
measuring child's probe and is added by the caller.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from app.domain.device import Capability
from app.domain.errors import UnavailableError
from app.ncu.refusals import CONTAINER_FIX, RIGHTS_FIX
from app.ncu.tool import CounterRights, counter_rights, find_tool, in_container
from app.storage.sqlite_engine import sqlite_module

LEAST_FREE_BYTES = 1_000_000_000
DRIVER_FILE = Path("/proc/driver/nvidia/version")
SYSTEM_HEADERS = Path("/usr/local/cuda/include")
_DRIVER_FIX = "install a driver from nvidia.com, then: make clean run"
_CUDA_FIX = ".venv/bin/pip install '.[cuda13]'  # cuda12 for drivers 525 to 579"
_COMPILER_FIX = ".venv/bin/pip install '.[nvrtc]'"
# Without these nothing is measured at all, not even on the CPU.
NEEDED = frozenset({"Python", "SQLite", "Data folder", "NumPy"})


@dataclass(frozen=True)
class Diagnosis:
    """Every check in the order shown."""

    checks: tuple[Capability, ...]

    @property
    def missing_needed(self) -> tuple[Capability, ...]:
        """What keeps even the CPU ladder from running; empty on a usable machine."""
        return tuple(check for check in self.checks if not check.ok and check.name in NEEDED)


def diagnose(data_dir: Path, probed: Iterable[Capability] = ()) -> Diagnosis:
    """Check the machine; `probed` is what the device said, which wins over a check of the same name."""
    told = {check.name: check for check in probed}
    own = [check(data_dir) for check in _CHECKS]
    merged = [told.pop(check.name, check) for check in own]
    return Diagnosis((*merged, *told.values()))


def missing_gpu(reason: str) -> Capability:
    """The row of a machine where no GPU can be used."""
    without = "The CPU ladder runs; CUDA stages are compiled and analysed but not measured."
    return Capability("GPU", False, reason, without, "install an NVIDIA driver, then: make clean run")


def _python(_: Path) -> Capability:
    version = platform.python_version()
    return Capability(
        "Python",
        sys.version_info >= (3, 11),
        f"{version} ({sys.executable})",
        "Roofladder does not start.",
        "make clean run PYTHON=python3.12",
    )


def _sqlite(_: Path) -> Capability:
    without = "The job engine does not start."
    try:
        module = sqlite_module()
    except UnavailableError as error:
        fix = ".venv/bin/pip install pysqlite3"
        return Capability("SQLite", False, error.message, without, fix)
    return Capability("SQLite", True, f"{module.sqlite_version} ({module.__name__.split('.')[0]})")


def _data_folder(data_dir: Path) -> Capability:
    existing = next(p for p in (data_dir.absolute(), *data_dir.absolute().parents) if p.exists())
    ok = existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)
    return Capability(
        "Data folder",
        ok,
        f"{data_dir.absolute()} is {'writable' if ok else 'not writable'}",
        "No run can be kept.",
        "ROOFLADDER_DATA_DIR=FOLDER make run",
    )


def _disk(data_dir: Path) -> Capability:
    existing = next(p for p in (data_dir.absolute(), *data_dir.absolute().parents) if p.exists())
    free = shutil.disk_usage(existing).free
    return Capability(
        "Disk",
        free >= LEAST_FREE_BYTES,
        f"{free / 1e9:.1f} GB free for {data_dir.absolute()}",
        "Runs may stop being kept when it is full.",
        "free some space, or: ROOFLADDER_DATA_DIR=FOLDER make run",
    )


def _numpy(_: Path) -> Capability:
    return _package("NumPy", ("numpy",), "Nothing is measured on the CPU.", "make clean run")


def _numba(_: Path) -> Capability:
    without = "The CPU ladder is NumPy and BLAS only: no compiled stages."
    return _package("Numba", ("numba",), without, ".venv/bin/pip install numba")


def _driver(_: Path) -> Capability:
    without = "CUDA stages are compiled and analysed but not measured here; the CPU ladder and imports work."
    if not DRIVER_FILE.exists():
        return Capability("NVIDIA driver", False, "no kernel module is loaded", without, _DRIVER_FIX)
    found = re.search(r"\b\d{3}\.\d+(\.\d+)?\b", DRIVER_FILE.read_text())
    return Capability("NVIDIA driver", True, found.group(0) if found else "loaded, version not told")


def _cupy(_: Path) -> Capability:
    names = ("cupy-cuda13x", "cupy-cuda12x")
    return _package("CUDA (CuPy)", names, "No CUDA stage is measured here.", _CUDA_FIX)


def _nvrtc(_: Path) -> Capability:
    names = ("nvidia-cuda-nvrtc", "nvidia-cuda-nvrtc-cu12")
    return _package("NVRTC", names, "CUDA stages are not compiled: no registers, no spills.", _COMPILER_FIX)


def _headers(_: Path) -> Capability:
    spec = importlib.util.find_spec("nvidia")
    wheels = [Path(place) for place in (spec.submodule_search_locations or [])] if spec else []
    found = [header for place in wheels for header in place.glob("*/include/cuda_fp16.h")]
    found += [header for header in (SYSTEM_HEADERS / "cuda_fp16.h",) if header.exists()]
    without = "Stages that use half precision or cooperative groups are not compiled."
    detail = str(found[0].parent) if found else "no cuda_fp16.h beside the NVIDIA packages"
    return Capability("CUDA headers", bool(found), detail, without, _COMPILER_FIX)


def _profiler(_: Path) -> Capability:
    without = "Nothing is captured here; reports made elsewhere are imported and diagnosed."
    tool = find_tool()
    if tool is None:
        fix = "install Nsight Compute (it comes with the CUDA toolkit) and put ncu on PATH"
        return Capability("Nsight Compute", False, "ncu is not installed", without, fix)
    if tool.version is None:
        return Capability(
            "Nsight Compute", False, f"{tool.path} does not start", without, f"{tool.path} --version"
        )
    return Capability("Nsight Compute", True, f"{tool.version} ({tool.path})")


def _counters(_: Path) -> Capability:
    found = counter_rights()
    where = " in this container" if in_container() else ""
    without = "Captures fail with ERR_NVGPUCTRPERM; timings and imported reports are not affected."
    fix = CONTAINER_FIX if where else RIGHTS_FIX
    return Capability("Counter rights", found in _MAY_COUNT, f"{_RIGHTS[found]}{where}", without, fix)


def _package(title: str, names: tuple[str, ...], without: str, fix: str) -> Capability:
    for name in names:
        try:
            return Capability(title, True, f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return Capability(title, False, f"{' or '.join(names)} is not installed", without, fix)


_RIGHTS = {
    CounterRights.ALL: "everyone may read them",
    CounterRights.THIS_PROCESS: "administrators only, and this process is one",
    CounterRights.NONE: "administrators only, and this process is none",
    CounterRights.UNKNOWN: "no driver that says so",
}
_MAY_COUNT = (CounterRights.ALL, CounterRights.THIS_PROCESS)

_CHECKS: tuple[Callable[[Path], Capability], ...] = (
    _python,
    _sqlite,
    _data_folder,
    _disk,
    _numpy,
    _numba,
    _driver,
    _cupy,
    _nvrtc,
    _headers,
    _profiler,
    _counters,
)
