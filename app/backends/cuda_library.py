"""The vendor's library lines: one call a problem. Imports CuPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np
from cupy_backends.cuda.libs import cublas

from app.domain.errors import NotOnThisDeviceFailure, StageFailure
from app.domain.size import Size


@dataclass(frozen=True)
class LibraryCall:
    """A bound call and the words that say which library, function and math mode it is."""

    launch: Callable[[], None]
    description: str


def library_call(problem: str, arrays: Mapping[str, Any], size: Size) -> LibraryCall:
    """The library's version of a problem. NotOnThisDeviceFailure where there is none."""
    if problem not in _CALLS:
        raise NotOnThisDeviceFailure(f"No library line is known for {problem}.")
    return _CALLS[problem](arrays, size)


def _sgemm(arrays: Mapping[str, Any], size: Size) -> LibraryCall:
    """Row-major C = A B is column-major Cᵀ = Bᵀ Aᵀ: the operands swap places, nothing is copied."""
    handle = cupy.cuda.device.get_cublas_handle()
    cublas.setStream(handle, cupy.cuda.get_current_stream().ptr)
    cublas.setMathMode(handle, cublas.CUBLAS_DEFAULT_MATH)
    if cublas.getMathMode(handle) != cublas.CUBLAS_DEFAULT_MATH:
        raise StageFailure("cuBLAS does not take CUBLAS_DEFAULT_MATH, so TF32 may be on: not an FP32 line.")
    m, n, k = size["m"], size["n"], size["k"]
    a, b, c = (arrays[name].data.ptr for name in ("A", "B", "C"))
    one, zero = np.ones(1, np.float32), np.zeros(1, np.float32)
    plain = cublas.CUBLAS_OP_N

    def launch() -> None:
        cublas.sgemm(handle, plain, plain, n, m, k, one.ctypes.data, b, n, a, k, zero.ctypes.data, c, n)

    return LibraryCall(launch, f"cuBLAS {cublas_version()} cublasSgemm, CUBLAS_DEFAULT_MATH (TF32 off)")


def _memcpy(arrays: Mapping[str, Any], size: Size) -> LibraryCall:
    """The driver's copy between two arrays of the device, in stream order."""
    x, y, stream = arrays["x"], arrays["y"], cupy.cuda.get_current_stream().ptr
    kind = cupy.cuda.runtime.memcpyDeviceToDevice

    def launch() -> None:
        cupy.cuda.runtime.memcpyAsync(y.data.ptr, x.data.ptr, x.nbytes, kind, stream)

    version = cupy.cuda.runtime.driverGetVersion()
    return LibraryCall(launch, f"cudaMemcpyAsync, device to device, driver for CUDA {version // 1000}")


def cublas_version() -> str:
    """Version such as "13.1.0"."""
    number = cublas.getVersion(cupy.cuda.device.get_cublas_handle())
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


_CALLS: Mapping[str, Callable[[Mapping[str, Any], Size], LibraryCall]] = {"matmul": _sgemm, "copy": _memcpy}
