"""CUDA's errors translated once: a lost device, a lost context, too little memory, or the stage's own."""

from __future__ import annotations

import re

from app.domain.errors import (
    DeviceUnavailableError,
    OutOfMemoryFailure,
    RoofladderError,
    StageFailure,
    StickyDeviceFailure,
)

# The context is lost for this process; a new process finds the device well.
_STICKY = {
    "ILLEGAL_ADDRESS": "read or wrote an address that is not its own",
    "MISALIGNED_ADDRESS": "read or wrote a misaligned address",
    "ILLEGAL_INSTRUCTION": "met an illegal instruction",
    "INVALID_ADDRESS_SPACE": "used an address of another memory space",
    "INVALID_PC": "jumped to an invalid address",
    "HARDWARE_STACK_ERROR": "overflowed its stack or damaged it",
    "LAUNCH_FAILED": "faulted (trap or invalid access)",
    "LAUNCH_FAILURE": "faulted (trap or invalid access)",
    "LAUNCH_TIMEOUT": "ran longer than the driver allows on a GPU that drives a display",
    "ASSERT": "failed an assertion",
}

_RESTART = "Restart the machine or reset the GPU, then start the worker again; see dmesg for the Xid."
_UNAVAILABLE = {
    "NO_DEVICE": "No GPU is visible to CUDA: check CUDA_VISIBLE_DEVICES, the driver (nvidia-smi) and, in a "
    "container, --gpus all. A GPU in MIG mode needs a MIG instance.",
    "INVALID_DEVICE": "CUDA_VISIBLE_DEVICES names a GPU that does not exist: correct or unset it.",
    "INSUFFICIENT_DRIVER": "The driver is older than CUDA needs: update the NVIDIA driver, or install the "
    "extra for an older CUDA (roofladder[cuda12]).",
    "SYSTEM_DRIVER_MISMATCH": "The driver and its libraries have different versions: restart the machine "
    "after a driver update.",
    "COMPAT_NOT_SUPPORTED_ON_DEVICE": "The forward-compatibility libraries do not support this GPU: use the "
    "CUDA version of the installed driver.",
    "DEVICES_UNAVAILABLE": "The GPU is taken by another process in exclusive mode, or is lost: end that "
    "process, or see nvidia-smi.",
    "DEVICE_UNAVAILABLE": "The GPU is taken by another process in exclusive mode, or is lost: end that "
    "process, or see nvidia-smi.",
    "SYSTEM_NOT_READY": "The GPU's fabric is not ready: start nvidia-fabricmanager.",
    "ECC_UNCORRECTABLE": f"The GPU met an uncorrectable memory error. {_RESTART}",
    "NVLINK_UNCORRECTABLE": f"The GPU met an uncorrectable NVLink error. {_RESTART}",
    "CONTAINED": f"The GPU met a contained memory error (Xid 94). {_RESTART}",
    "EXTERNAL_DEVICE": f"The GPU fell off the bus. {_RESTART}",
    "UNKNOWN": f"The GPU is lost or in an unknown state. {_RESTART}",
    "INITIALIZATION_ERROR": "CUDA cannot be initialised: check the driver with nvidia-smi.",
    "NOT_INITIALIZED": "CUDA cannot be initialised: check the driver with nvidia-smi.",
}

_NO_IMAGE = {"NO_BINARY_FOR_GPU", "NO_KERNEL_IMAGE_FOR_DEVICE"}
_OTHER_ARCHITECTURE = (
    "There is no kernel image for this GPU ({name}): the code was compiled for another architecture. "
    "Compile it for this device's own (-arch)."
)
_WORD_BOUNDARY = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MEMORY = {"MEMORY_ALLOCATION", "OUT_OF_MEMORY"}
_OUT_OF_MEMORY = "The GPU ran out of memory: choose a smaller size or end other processes on it."


def failure_of(error: BaseException) -> RoofladderError:
    """Our error for an exception of CuPy's: a CUDA runtime, driver or library error, or no memory."""
    if isinstance(error, MemoryError):
        return OutOfMemoryFailure(_OUT_OF_MEMORY)
    name, _, text = str(error).partition(":")
    word = normalised(name)
    if word in _STICKY:
        return StickyDeviceFailure(f"The kernel {_STICKY[word]} ({name}); its process was ended.")
    if word in _UNAVAILABLE:
        return DeviceUnavailableError(f"{_UNAVAILABLE[word]} ({name})")
    if word in _MEMORY:
        return OutOfMemoryFailure(_OUT_OF_MEMORY)
    if word in _NO_IMAGE:
        return StageFailure(_OTHER_ARCHITECTURE.format(name=name.strip()))
    return StageFailure(f"CUDA refused the launch: {name}{':' if text else ''}{text}")


def normalised(name: str) -> str:
    """One spelling for the runtime's cudaErrorIllegalAddress and the driver's CUDA_ERROR_ILLEGAL_ADDRESS."""
    name = name.strip()
    if name.startswith("CUDA_ERROR_"):
        return name.removeprefix("CUDA_ERROR_")
    return _WORD_BOUNDARY.sub("_", name.removeprefix("cudaError")).upper()
