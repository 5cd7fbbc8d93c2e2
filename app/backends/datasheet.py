"""The roofs that a device's attributes promise at boost clock."""

from __future__ import annotations

from app.domain.device import Device
from app.domain.measurement import Ceiling
from app.domain.vocabulary import BackendName, Provenance

_SHARED_BYTES_PER_CLOCK = 32 * 4
# Dense FLOP per clock and multiprocessor with FP32 sums; capabilities whose products differ are left out
# (8.6 and 8.9: GeForce has half the rate of the workstation and server boards).
_A100 = {"fp16": 2048, "bf16": 2048, "tf32": 1024}
_H100 = {"fp16": 4096, "bf16": 4096, "tf32": 2048, "fp8": 8192}
_TENSOR_FLOP_PER_CLOCK = {"8.0": _A100, "9.0": _H100}


def from_datasheet(device: Device) -> list[Ceiling]:
    """Roofs computed from the device's attributes; none where they are not known."""
    fp32, dram = device.datasheet_fp32_flop_per_s, device.datasheet_dram_bytes_per_s
    found: list[Ceiling] = []
    if fp32 is not None:
        formula = "multiprocessors x FP32 lanes x 2 FLOP x boost clock"
        found.append(_stated(device, "fp32_fma", "FP32 at boost clock", "compute", fp32, formula))
    if dram is not None:
        formula = "memory clock x 2 x bus width / 8"
        found.append(_stated(device, "dram_copy", "DRAM pin bandwidth", "bandwidth", dram, formula))
    return [*found, *_shared(device), *_tensor(device)]


def _shared(device: Device) -> list[Ceiling]:
    """32 banks of 4 bytes a clock and multiprocessor: CUDA C++ programming guide, shared memory."""
    clocks = _clocks_per_s(device)
    if clocks is None:
        return []
    formula, value = "multiprocessors x 32 banks x 4 bytes x boost clock", clocks * _SHARED_BYTES_PER_CLOCK
    return [_stated(device, "shared_read", "Shared memory at boost clock", "bandwidth", value, formula)]


def _tensor(device: Device) -> list[Ceiling]:
    """Dense rates of the tensor pipe, by compute capability.

    NVIDIA A100 Tensor Core GPU Architecture (312 TFLOP/s in FP16 with 108 multiprocessors at 1.41 GHz) and
    NVIDIA H100 Tensor Core GPU Architecture (989.4 TFLOP/s with 132 at 1.83 GHz): 2048 and 4096 FLOP a clock
    and multiprocessor, TF32 half of that, FP8 twice. The clock is the device's highest, as in FP32.
    """
    clocks = _clocks_per_s(device)
    if clocks is None:
        return []
    return [
        _stated(
            device,
            f"tensor_{name}",
            f"{name.upper()} tensor at boost clock",
            "compute",
            clocks * flop,
            f"multiprocessors x {flop} FLOP x boost clock",
        )
        for name, flop in _TENSOR_FLOP_PER_CLOCK.get(device.compute_capability or "", {}).items()
    ]


def _clocks_per_s(device: Device) -> float | None:
    """Of all multiprocessors of a GPU together."""
    if device.backend is not BackendName.CUDA or not device.multiprocessor_count or not device.boost_clock_hz:
        return None
    return device.multiprocessor_count * device.boost_clock_hz


def _stated(device: Device, name: str, title: str, kind: str, value: float, formula: str) -> Ceiling:
    return Ceiling(
        name, title, kind, value, Provenance.DATASHEET, formula, boost_clock_hz=device.boost_clock_hz
    )
