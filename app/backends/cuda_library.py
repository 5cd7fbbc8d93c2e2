"""The vendor's library lines: one function of a library for one problem. Imports CuPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np
from cupy_backends.cuda.libs import cublas

from app.backends import cublaslt
from app.backends.cuda_timer import StreamTimer
from app.backends.fastest import fastest
from app.backends.gemm import Gemm, gemm_of
from app.backends.kernel_names import kernel_names
from app.domain.errors import NotOnThisDeviceFailure, StageFailure
from app.domain.size import Size
from app.domain.vocabulary import Dtype

_DEFAULT_ALGORITHM = -1  # CUBLAS_GEMM_DEFAULT
_REDUCE_IN_COMPUTE_TYPE = 16  # CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION
_B_IS_TRANSPOSED = {"matmul": False, "tensor_matmul": True}


@dataclass(frozen=True)
class LibraryCell:
    """What a library line is bound to: the problem's arrays by name, inputs drawn."""

    problem: str
    stage: str
    size: Size
    dtype: Dtype
    arrays: Mapping[str, Any]


@dataclass(frozen=True)
class LibraryCall:
    """A bound call and the words that say which library, function and math mode it is."""

    launch: Callable[[], None]
    description: str


def library_call(cell: LibraryCell, timer: StreamTimer) -> LibraryCall:
    """The library's version of a cell; `timer` lets it choose among several. NotOnThisDeviceFailure: none."""
    make = _CALLS.get((cell.problem, cell.stage))
    if make is None:
        raise NotOnThisDeviceFailure(f"No library line {cell.stage} is known for {cell.problem}.")
    return make(cell, timer)


def _sgemm(cell: LibraryCell, timer: StreamTimer) -> LibraryCall:
    handle, gemm = _handle_in(cublas.CUBLAS_DEFAULT_MATH), _gemm(cell)
    one, zero = np.ones(1, np.float32), np.zeros(1, np.float32)
    plain = cublas.CUBLAS_OP_N

    def launch() -> None:
        cublas.sgemm(
            *(handle, plain, plain, gemm.rows, gemm.columns, gemm.terms),
            *(one.ctypes.data, gemm.first, gemm.first_stride, gemm.second, gemm.second_stride),
            *(zero.ctypes.data, gemm.result, gemm.result_stride),
        )

    return LibraryCall(launch, f"cuBLAS {cublas_version()} cublasSgemm, CUBLAS_DEFAULT_MATH (TF32 off)")


def _gemm_ex(cell: LibraryCell, timer: StreamTimer) -> LibraryCall:
    handle, gemm = _handle_in(cublas.CUBLAS_DEFAULT_MATH | _REDUCE_IN_COMPUTE_TYPE), _gemm(cell)
    one, zero = np.ones(1, np.float32), np.zeros(1, np.float32)
    first = cublas.CUBLAS_OP_T if gemm.first_is_transposed else cublas.CUBLAS_OP_N
    kind = cublaslt.DATA_TYPES[gemm.dtype]

    def launch() -> None:
        cublas.gemmEx(
            *(handle, first, cublas.CUBLAS_OP_N, gemm.rows, gemm.columns, gemm.terms),
            *(one.ctypes.data, gemm.first, kind, gemm.first_stride),
            *(gemm.second, kind, gemm.second_stride),
            *(zero.ctypes.data, gemm.result, kind, gemm.result_stride),
            *(cublaslt.COMPUTE_32F, _DEFAULT_ALGORITHM),
        )

    return LibraryCall(
        launch,
        f"cuBLAS {cublas_version()} cublasGemmEx, {gemm.dtype} in and out, CUBLAS_COMPUTE_32F, "
        "sums reduced in float32",
    )


def _cublaslt(cell: LibraryCell, timer: StreamTimer) -> LibraryCall:
    """The fastest of the heuristics' algorithms, each timed briefly on the cell's own data."""
    cupy.cuda.device.get_cublas_handle()  # loads the library that cuBLAS itself uses
    workspace = cupy.empty(cublaslt.WORKSPACE_BYTES, np.uint8)
    product = cublaslt.Product(_gemm(cell), workspace, cupy.cuda.get_current_stream().ptr)
    launches = [product.launch_of(candidate) for candidate in product.candidates]
    chosen = fastest(
        launches,
        run=_run,
        seconds_per_launch=lambda launch, count: timer.seconds_per_launch(launch, count, cold=False),
    )
    names = kernel_names(lambda stream: product.launch_of(product.candidates[chosen], stream)())
    return LibraryCall(
        launches[chosen],
        f"cuBLASLt {product.version} cublasLtMatmul, {cell.dtype} in and out, CUBLAS_COMPUTE_32F (TF32 off), "
        f"32 MiB workspace, heuristic {chosen + 1} of {len(launches)}"
        + (f", kernel {' + '.join(names)}" if names else ""),
    )


def _memcpy(cell: LibraryCell, timer: StreamTimer) -> LibraryCall:
    """The driver's copy between two arrays of the device, in stream order."""
    x, y, stream = cell.arrays["x"], cell.arrays["y"], cupy.cuda.get_current_stream().ptr
    kind = cupy.cuda.runtime.memcpyDeviceToDevice

    def launch() -> None:
        cupy.cuda.runtime.memcpyAsync(y.data.ptr, x.data.ptr, x.nbytes, kind, stream)

    version = cupy.cuda.runtime.driverGetVersion()
    return LibraryCall(launch, f"cudaMemcpyAsync, device to device, driver for CUDA {version // 1000}")


def cublas_version() -> str:
    """Version such as "13.1.0"."""
    number = cublas.getVersion(cupy.cuda.device.get_cublas_handle())
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def _handle_in(math_mode: int) -> int:
    """CuPy's handle on the current stream, in a math mode that keeps TF32 off."""
    handle: int = cupy.cuda.device.get_cublas_handle()
    cublas.setStream(handle, cupy.cuda.get_current_stream().ptr)
    cublas.setMathMode(handle, math_mode)
    if cublas.getMathMode(handle) != math_mode:
        raise StageFailure(
            "cuBLAS does not take the math mode asked for, so TF32 may be on: no time is stated."
        )
    return handle


def _gemm(cell: LibraryCell) -> Gemm:
    addresses = {name: cell.arrays[name].data.ptr for name in ("A", "B", "C")}
    return gemm_of(cell.size, cell.dtype, addresses, b_is_transposed=_B_IS_TRANSPOSED[cell.problem])


def _run(launch: Callable[[], None]) -> None:
    launch()
    cupy.cuda.get_current_stream().synchronize()


_CALLS: Mapping[tuple[str, str], Callable[[LibraryCell, StreamTimer], LibraryCall]] = {
    ("matmul", "cublas"): _sgemm,
    ("matmul", "cublaslt"): _cublaslt,
    ("tensor_matmul", "cublas_fp16"): _gemm_ex,
    ("tensor_matmul", "cublas_bf16"): _gemm_ex,
    ("tensor_matmul", "cublaslt_fp16"): _cublaslt,
    ("tensor_matmul", "cublaslt_bf16"): _cublaslt,
    ("copy", "memcpy"): _memcpy,
}
