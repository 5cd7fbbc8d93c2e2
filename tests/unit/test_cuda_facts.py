"""What is derived from CUDA's and NVML's answers, without a GPU: roofs, error words, the holding kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.backends import nvml
from app.backends.cuda_device import gpu_device, gpu_uuid
from app.backends.cuda_errors import failure_of, normalised
from app.backends.nvrtc import compile_cubin
from app.domain.errors import (
    DeviceUnavailableError,
    OutOfMemoryFailure,
    RoofladderError,
    StageFailure,
    StickyDeviceFailure,
)

H200 = {
    "name": b"NVIDIA H200",
    "uuid": bytes(range(16)),
    "major": 9,
    "minor": 0,
    "multiProcessorCount": 132,
    "totalGlobalMem": 150_109_749_248,
    "l2CacheSize": 62_914_560,
    "memoryBusWidth": 6016,
    "sharedMemPerBlockOptin": 232_448,
    "sharedMemPerMultiprocessor": 233_472,
    "regsPerMultiprocessor": 65_536,
}
H200_FACTS = nvml.GpuFacts("580.1", 1980e6, 3201e6, 700.0, False, True, True)


def test_peaks_of_an_h200_are_those_of_its_data_sheet() -> None:
    device = gpu_device(H200, H200_FACTS)
    assert device.datasheet_fp32_flop_per_s == pytest.approx(66.9e12, rel=1e-3)
    assert device.datasheet_dram_bytes_per_s == pytest.approx(4.814e12, rel=1e-3)
    assert (device.architecture, device.compute_capability) == ("sm_90a", "9.0")


def test_an_a100_has_64_lanes_a_multiprocessor() -> None:
    a100 = {**H200, "major": 8, "minor": 0, "multiProcessorCount": 108, "memoryBusWidth": 5120}
    device = gpu_device(a100, nvml.GpuFacts("1", 1410e6, 1215e6, 400.0, None, None, None))
    assert device.datasheet_fp32_flop_per_s == pytest.approx(19.5e12, rel=1e-3)
    assert device.datasheet_dram_bytes_per_s == pytest.approx(1.555e12, rel=1e-3)


def test_without_nvml_cuda_s_own_clocks_are_used_and_what_is_missing_stays_none() -> None:
    assert gpu_device(H200, None, 1_980_000, 3_201_000).boost_clock_hz == 1980e6
    bare = gpu_device(H200, None)
    assert bare.boost_clock_hz is None
    assert bare.datasheet_fp32_flop_per_s is None
    assert bare.power_limit_w is None


def test_the_uuid_is_spelled_as_nvml_does() -> None:
    assert gpu_uuid(H200) == "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f"


def test_a_uuid_with_a_zero_byte_is_taken_from_nvml() -> None:
    cut = H200 | {"uuid": b"\x8f\x21"}  # CuPy ends the text at the first zero byte
    assert gpu_uuid(cut) == "GPU-8f210000-0000-0000-0000-000000000000"
    whole = "GPU-8f210000-0405-0607-0809-0a0b0c0d0e0f"
    assert gpu_device(cut, H200_FACTS, nvml_uuid=whole).uuid == whole


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("cudaErrorIllegalAddress: an illegal memory access was encountered", StickyDeviceFailure),
        ("CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered", StickyDeviceFailure),
        ("cudaErrorLaunchFailure: unspecified launch failure", StickyDeviceFailure),
        ("CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure", StickyDeviceFailure),
        ("cudaErrorMisalignedAddress: misaligned address", StickyDeviceFailure),
        ("cudaErrorInvalidPc: invalid program counter", StickyDeviceFailure),
        ("cudaErrorNoDevice: no CUDA-capable device is detected", DeviceUnavailableError),
        ("cudaErrorInsufficientDriver: CUDA driver version is insufficient", DeviceUnavailableError),
        ("cudaErrorSystemDriverMismatch: system has unsupported display driver", DeviceUnavailableError),
        ("cudaErrorECCUncorrectable: uncorrectable ECC error encountered", DeviceUnavailableError),
        ("cudaErrorUnknown: unknown error", DeviceUnavailableError),
        ("cudaErrorMemoryAllocation: out of memory", OutOfMemoryFailure),
        ("CUDA_ERROR_OUT_OF_MEMORY: out of memory", OutOfMemoryFailure),
        ("CUDA_ERROR_INVALID_VALUE: invalid argument", StageFailure),
    ],
)
def test_cuda_errors_become_ours(text: str, kind: type[RoofladderError]) -> None:
    found = failure_of(RuntimeError(text))
    assert type(found) is kind
    assert "\n" not in found.message


def test_a_missing_gpu_names_mig_and_the_container_flag() -> None:
    message = failure_of(RuntimeError("cudaErrorNoDevice: none")).message
    assert "MIG" in message
    assert "--gpus all" in message


def test_both_spellings_are_one() -> None:
    assert normalised("cudaErrorECCUncorrectable") == normalised("CUDA_ERROR_ECC_UNCORRECTABLE")


def test_only_limits_count_as_throttling() -> None:
    idle, application_clocks = 0x1, 0x2
    assert nvml.throttle_words(idle | application_clocks) == ()
    assert nvml.throttle_words(0x4 | 0x40) == ("power limit", "temperature (hardware)")


@pytest.mark.parametrize("architecture", ["sm_80", "sm_90a"])
def test_the_holding_kernel_compiles_without_spills(architecture: str) -> None:
    source = Path("app/backends/device_code/hold.cu").read_text()
    _, report = compile_cubin(source, "hold", architecture)
    assert report.spill_bytes == 0
    assert report.static_shared_bytes == 0
