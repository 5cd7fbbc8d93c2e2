"""What is known of the machine a number was measured on."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from app.domain.vocabulary import BackendName


@dataclass(frozen=True)
class Device:
    """The lasting facts of a GPU or CPU. `uuid` is the identity; missing values are None, never 0.

    For a CPU, `multiprocessor_count` is physical cores, `l2_bytes` the last-level cache.
    """

    uuid: str
    name: str
    backend: BackendName
    memory_bytes: int | None = None
    multiprocessor_count: int | None = None
    l2_bytes: int | None = None
    compute_capability: str | None = None  # "9.0"
    architecture: str | None = None  # "sm_90a", or the CPU's "x86_64"
    boost_clock_hz: float | None = None
    memory_clock_hz: float | None = None
    memory_bus_bits: int | None = None
    shared_bytes_per_block: int | None = None
    shared_bytes_per_multiprocessor: int | None = None
    registers_per_multiprocessor: int | None = None
    power_limit_w: float | None = None
    logical_core_count: int | None = None
    datasheet_fp32_flop_per_s: float | None = None  # SMs x 128 lanes x 2 x boost clock
    datasheet_dram_bytes_per_s: float | None = None  # memory clock x 2 x bus width / 8


@dataclass(frozen=True)
class Environment:
    """The software around a run; `facts` holds what has no field of its own (compiler flags, BLAS name)."""

    roofladder_version: str
    python_version: str
    os: str
    host: str
    driver_version: str | None = None
    cuda_version: str | None = None
    nvrtc_version: str | None = None
    libraries: dict[str, str] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DeviceState:
    """One reading of the moving state. None means not readable here."""

    at: datetime
    sm_clock_hz: float | None = None
    memory_clock_hz: float | None = None
    power_w: float | None = None
    temperature_c: float | None = None
    utilisation_fraction: float | None = None
    memory_free_bytes: int | None = None
    throttle_reasons: tuple[str, ...] = ()
    foreign_processes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Capability:
    """One row of `doctor`: what can or cannot be done here, and the exact fix."""

    name: str
    ok: bool
    detail: str
    without_it: str = ""
    fix: str = ""


@dataclass(frozen=True)
class WorkerSnapshot:
    """What the worker last wrote about itself and its device; pages show `seen_at`'s age."""

    worker_id: str
    seen_at: datetime
    device: Device
    state: DeviceState
    environment: Environment
    capabilities: tuple[Capability, ...]
