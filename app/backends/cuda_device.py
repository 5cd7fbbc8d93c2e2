"""A GPU's lasting facts from what CUDA and NVML tell of it; pure, so that it is tested without a GPU."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from app.analysis.roofline import (
    FP32_LANES_PER_MULTIPROCESSOR,
    dram_peak_bytes_per_s,
    fp32_peak_flop_per_s,
)
from app.backends.nvml import GpuFacts
from app.backends.nvrtc import architecture_of
from app.domain.device import Device
from app.domain.vocabulary import BackendName

# CUDA C++ programming guide, arithmetic instructions: FP32 results per clock and multiprocessor.
_FP32_LANES_OTHERWISE = {(6, 0): 64, (7, 0): 64, (7, 2): 64, (7, 5): 64, (8, 0): 64}


def gpu_uuid(properties: Mapping[str, Any]) -> str:
    """The device's UUID in NVML's spelling; right only up to its first zero byte, where CuPy's text ends."""
    return f"GPU-{uuid.UUID(bytes=bytes(properties['uuid'])[:16].ljust(16, bytes(1)))}"


def gpu_device(
    properties: Mapping[str, Any],
    facts: GpuFacts | None,
    clock_rate_khz: int | None = None,
    memory_clock_rate_khz: int | None = None,
    *,
    nvml_uuid: str | None = None,
) -> Device:
    """Facts from cudaGetDeviceProperties (as CuPy gives it), NVML, and CUDA's clock attributes.

    `nvml_uuid` is preferred to CuPy's, which is cut at a zero byte. Peaks as analysis.roofline
    computes them; clocks are NVML's maxima, else CUDA's attributes.
    """
    capability = (int(properties["major"]), int(properties["minor"]))
    boost = (facts.sm_clock_max_hz if facts else None) or _hz(clock_rate_khz)
    memory = (facts.memory_clock_max_hz if facts else None) or _hz(memory_clock_rate_khz)
    multiprocessors = int(properties["multiProcessorCount"])
    bus_bits = int(properties["memoryBusWidth"]) or None
    lanes = _FP32_LANES_OTHERWISE.get(capability, FP32_LANES_PER_MULTIPROCESSOR)
    return Device(
        uuid=nvml_uuid or gpu_uuid(properties),
        name=_text(properties["name"]),
        backend=BackendName.CUDA,
        memory_bytes=int(properties["totalGlobalMem"]),
        multiprocessor_count=multiprocessors,
        l2_bytes=int(properties["l2CacheSize"]) or None,
        compute_capability=f"{capability[0]}.{capability[1]}",
        architecture=architecture_of(capability),
        boost_clock_hz=boost,
        memory_clock_hz=memory,
        memory_bus_bits=bus_bits,
        shared_bytes_per_block=int(properties["sharedMemPerBlockOptin"]),
        shared_bytes_per_multiprocessor=int(properties["sharedMemPerMultiprocessor"]),
        registers_per_multiprocessor=int(properties["regsPerMultiprocessor"]),
        power_limit_w=facts.power_limit_w if facts else None,
        datasheet_fp32_flop_per_s=fp32_peak_flop_per_s(multiprocessors, boost, lanes) if boost else None,
        datasheet_dram_bytes_per_s=dram_peak_bytes_per_s(memory, bus_bits) if memory and bus_bits else None,
    )


def _hz(khz: int | None) -> float | None:
    return khz * 1e3 if khz else None


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
