"""Lasting and moving facts of the CPU, as far as the operating system tells them."""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil

from app.domain.device import Device, DeviceState
from app.domain.vocabulary import BackendName

_CACHE_FOLDER = Path("/sys/devices/system/cpu/cpu0/cache")
_CPUINFO = Path("/proc/cpuinfo")
_MACHINE_IDS = (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id"))
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True)
class ClockReading:
    """Whether the core clock can be read, and why not."""

    is_readable: bool
    reason: str


def cpu_device() -> Device:
    """The CPU of this machine. `uuid` is a hash of machine id and model, so that it survives a reinstall
    of the product and tells two machines apart."""
    model = model_name()
    identity = hashlib.sha256(f"{_machine_id()}|{model}".encode()).hexdigest()[:32]
    return Device(
        uuid=f"cpu-{identity}",
        name=model,
        backend=BackendName.CPU,
        memory_bytes=psutil.virtual_memory().total,
        multiprocessor_count=psutil.cpu_count(logical=False),
        l2_bytes=last_level_cache_bytes(),
        architecture=platform.machine(),
        boost_clock_hz=_boost_clock_hz(),
        logical_core_count=len(psutil.Process().cpu_affinity()),
    )


def cpu_state() -> DeviceState:
    """Clock where the system shows the real one, load and free memory now."""
    frequency = psutil.cpu_freq() if clock_reading().is_readable else None
    return DeviceState(
        at=datetime.now(UTC),
        sm_clock_hz=frequency.current * 1e6 if frequency and frequency.current else None,
        utilisation_fraction=psutil.cpu_percent(interval=None) / 100,
        memory_free_bytes=available_memory_bytes(),
    )


def clock_reading() -> ClockReading:
    """A virtual machine shows its nominal clock at all times: that is not the clock held."""
    if "hypervisor" in _cpu_flags():
        return ClockReading(False, "a virtual machine shows its nominal clock only")
    try:
        frequency = psutil.cpu_freq()
    except (NotImplementedError, FileNotFoundError, OSError):
        frequency = None
    if frequency is None or not frequency.current:
        return ClockReading(False, "this system does not show core clocks")
    return ClockReading(True, "mean over the cores, from the operating system")


def last_level_cache_bytes() -> int | None:
    """Size of the largest cache that core 0 sees, from sysfs; None where it is not told."""
    sizes = [_parse_size(path) for path in _CACHE_FOLDER.glob("index*/size")]
    return max((s for s in sizes if s), default=None)


def available_memory_bytes() -> int:
    """Memory that can be taken without swapping, within a container's limit where there is one."""
    available = int(psutil.virtual_memory().available)
    limit, used = (_read_number(Path("/sys/fs/cgroup") / name) for name in ("memory.max", "memory.current"))
    return available if limit is None or used is None else min(available, max(0, limit - used))


def model_name() -> str:
    """The CPU's model as the system prints it."""
    for line in _cpuinfo_lines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _boost_clock_hz() -> float | None:
    frequency = psutil.cpu_freq() if clock_reading().is_readable else None
    return frequency.max * 1e6 if frequency and frequency.max else None


def _cpu_flags() -> frozenset[str]:
    for line in _cpuinfo_lines():
        if line.startswith("flags"):
            return frozenset(line.partition(":")[2].split())
    return frozenset()


def _cpuinfo_lines() -> list[str]:
    return _CPUINFO.read_text().splitlines() if _CPUINFO.exists() else []


def _machine_id() -> str:
    for path in _MACHINE_IDS:
        if path.exists() and (found := path.read_text().strip()):
            return found
    return platform.node()


def _parse_size(path: Path) -> int | None:
    text = path.read_text().strip()
    number, unit = (text[:-1], text[-1]) if text and not text[-1].isdigit() else (text, "")
    return int(number) * _UNITS.get(unit, 1) if number.isdigit() else None


def _read_number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None
