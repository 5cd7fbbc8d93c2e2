"""The only reader of NVML: a GPU's lasting facts and its moving state, by UUID. Changes nothing.

Every value is optional: what a driver, container or virtual GPU does not tell is None, never 0.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

import psutil
import pynvml

from app.domain.device import DeviceState

# Bits of the "clocks event reasons" that mean a limit; idle and chosen clocks are none.
_THROTTLE_BITS = {
    0x0000000000000004: "power limit",
    0x0000000000000008: "hardware slowdown",
    0x0000000000000010: "synchronised with a slower GPU",
    0x0000000000000020: "temperature (driver)",
    0x0000000000000040: "temperature (hardware)",
    0x0000000000000080: "external power brake",
}


@dataclass(frozen=True)
class GpuFacts:
    """What does not change while a process lives."""

    driver_version: str | None
    sm_clock_max_hz: float | None
    memory_clock_max_hz: float | None
    power_limit_w: float | None
    is_mig: bool | None
    ecc: bool | None
    persistence: bool | None


class Gpu:
    """One GPU. Processes seen at construction are foreign; call `adopt` after creating a CUDA context."""

    def __init__(self, handle: Any) -> None:  # noqa: ANN401 - an opaque NVML handle
        self._handle = handle
        self._own = {os.getpid()}
        self._before = self._process_ids()

    @property
    def uuid(self) -> str | None:
        """The identity, "GPU-…"."""
        return _text(_read(pynvml.nvmlDeviceGetUUID, self._handle))

    def adopt(self) -> None:
        """Take processes that have come since construction as ours.

        In a container NVML may tell another process id than the process sees for itself.
        """
        self._own |= self._process_ids() - self._before

    def facts(self) -> GpuFacts:
        """Lasting facts."""
        mig = _read(pynvml.nvmlDeviceGetMigMode, self._handle)
        ecc = _read(pynvml.nvmlDeviceGetEccMode, self._handle)
        persistence = _read(pynvml.nvmlDeviceGetPersistenceMode, self._handle)
        return GpuFacts(
            driver_version=_text(_read(pynvml.nvmlSystemGetDriverVersion)),
            sm_clock_max_hz=_scaled(
                _read(pynvml.nvmlDeviceGetMaxClockInfo, self._handle, pynvml.NVML_CLOCK_SM), 1e6
            ),
            memory_clock_max_hz=_scaled(
                _read(pynvml.nvmlDeviceGetMaxClockInfo, self._handle, pynvml.NVML_CLOCK_MEM), 1e6
            ),
            power_limit_w=_scaled(_read(pynvml.nvmlDeviceGetEnforcedPowerLimit, self._handle), 1e-3),
            is_mig=None if mig is None else bool(mig[0]),
            ecc=None if ecc is None else bool(ecc[0]),
            persistence=None if persistence is None else bool(persistence),
        )

    def state(self) -> DeviceState:
        """Clocks, power, heat, limits and foreign processes now."""
        handle = self._handle
        utilisation = _read(pynvml.nvmlDeviceGetUtilizationRates, handle)
        memory = _read(pynvml.nvmlDeviceGetMemoryInfo, handle)
        temperature = _read(pynvml.nvmlDeviceGetTemperature, handle, pynvml.NVML_TEMPERATURE_GPU)
        return DeviceState(
            at=datetime.now(UTC),
            sm_clock_hz=_scaled(_read(pynvml.nvmlDeviceGetClockInfo, handle, pynvml.NVML_CLOCK_SM), 1e6),
            memory_clock_hz=_scaled(_read(pynvml.nvmlDeviceGetClockInfo, handle, pynvml.NVML_CLOCK_MEM), 1e6),
            power_w=_scaled(_read(pynvml.nvmlDeviceGetPowerUsage, handle), 1e-3),
            temperature_c=None if temperature is None else float(temperature),
            utilisation_fraction=None if utilisation is None else utilisation.gpu / 100,
            memory_free_bytes=None if memory is None else int(memory.free),
            throttle_reasons=throttle_words(_read(_event_reasons(), handle) or 0),
            foreign_processes=tuple(_process_name(pid) for pid in sorted(self._process_ids() - self._own)),
        )

    def _process_ids(self) -> set[int]:
        found = _read(pynvml.nvmlDeviceGetComputeRunningProcesses, self._handle) or ()
        return {process.pid for process in found}


def gpu_by_uuid(uuid: str) -> Gpu | None:
    """The GPU of that UUID ("GPU-…"), or None where NVML is missing or does not know it."""
    if not _is_running():
        return None
    handle = _read(pynvml.nvmlDeviceGetHandleByUUID, uuid)
    return None if handle is None else Gpu(handle)


def gpu_by_pci_bus_id(bus_id: str) -> Gpu | None:
    """The GPU in that slot ("0000:06:00.0"), or None where NVML is missing or does not know it."""
    if not _is_running():
        return None
    handle = _read(pynvml.nvmlDeviceGetHandleByPciBusId, bus_id)
    return None if handle is None else Gpu(handle)


def why_unavailable() -> str | None:
    """Why NVML cannot be used here in one line, or None."""
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        return str(error)
    return None


def unreadable_state() -> DeviceState:
    """A state of which only the time is known."""
    return DeviceState(datetime.now(UTC))


def throttle_words(bits: int) -> tuple[str, ...]:
    """Reasons that limit the clock, in words."""
    return tuple(words for bit, words in _THROTTLE_BITS.items() if bits & bit)


@cache
def _is_running() -> bool:
    return why_unavailable() is None


@cache
def _event_reasons() -> Callable[..., Any]:
    """The call's newer name where the binding and the driver have it."""
    newer = getattr(pynvml, "nvmlDeviceGetCurrentClocksEventReasons", None)
    reasons: Callable[..., Any] = newer or pynvml.nvmlDeviceGetCurrentClocksThrottleReasons
    return reasons


def _read(call: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401 - whatever the NVML call returns
    try:
        return call(*arguments)
    except pynvml.NVMLError:
        return None


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def _text(value: str | bytes | None) -> str | None:
    return value.decode() if isinstance(value, bytes) else value


def _process_name(pid: int) -> str:
    try:
        return f"{psutil.Process(pid).name()} (pid {pid})"
    except psutil.Error:
        return f"pid {pid}"
