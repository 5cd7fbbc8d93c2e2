"""cuBLASLt through ctypes: the algorithms its heuristics name for a product, and how one is run.

CuPy offers neither. Numbers of the enumerations are those of `cublasLt.h` and `library_types.h`.
"""

from __future__ import annotations

import ctypes
import importlib.util
import re
import weakref
from collections.abc import Callable, Iterator, Mapping
from ctypes import POINTER, byref, c_float, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from app.backends.gemm import Gemm
from app.domain.errors import NotOnThisDeviceFailure, StageFailure
from app.domain.vocabulary import Dtype

WORKSPACE_BYTES = 32 << 20
MOST_CANDIDATES = 8

DATA_TYPES: Mapping[Dtype, int] = {Dtype.FLOAT32: 0, Dtype.FLOAT16: 2, Dtype.BFLOAT16: 14}
COMPUTE_32F = 68  # sums in float32; TF32 has a number of its own
_NOT_SUPPORTED = 15
_TRANSPOSE_FIRST = 3  # CUBLASLT_MATMUL_DESC_TRANSA
_TRANSPOSED = 1
_MOST_WORKSPACE = 1  # CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
_REDUCTION_SCHEMES = 3  # CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK
_REDUCED_IN_COMPUTE_TYPE = 1 | 2  # in place or in the compute type: never in the 16 bits of the output

_NAMES = ("libcublasLt.so.13", "libcublasLt.so.12")
_FOLDERS = (Path("/usr/local/cuda/lib64"),)
_MAPPED = re.compile(r"\S*/libcublasLt\.so\S*")


class Heuristic(ctypes.Structure):
    """`cublasLtMatmulHeuristicResult_t`: one algorithm and whether it can be run."""

    _fields_ = (
        ("algorithm", c_uint64 * 8),
        ("workspace_bytes", c_size_t),
        ("status", c_int),
        ("waves", c_float),
        ("reserved", c_int * 4),
    )


_ARGUMENTS: Mapping[str, tuple[Any, ...]] = {
    "cublasLtCreate": (POINTER(c_void_p),),
    "cublasLtMatmulDescCreate": (POINTER(c_void_p), c_int, c_int),
    "cublasLtMatmulDescSetAttribute": (c_void_p, c_int, c_void_p, c_size_t),
    "cublasLtMatmulDescDestroy": (c_void_p,),
    "cublasLtMatrixLayoutCreate": (POINTER(c_void_p), c_int, c_uint64, c_uint64, c_int64),
    "cublasLtMatrixLayoutDestroy": (c_void_p,),
    "cublasLtMatmulPreferenceCreate": (POINTER(c_void_p),),
    "cublasLtMatmulPreferenceSetAttribute": (c_void_p, c_int, c_void_p, c_size_t),
    "cublasLtMatmulPreferenceDestroy": (c_void_p,),
    "cublasLtMatmulAlgoGetHeuristic": (*[c_void_p] * 7, c_int, POINTER(Heuristic), POINTER(c_int)),
    "cublasLtMatmul": (*[c_void_p] * 14, c_size_t, c_void_p),
}


@dataclass(frozen=True)
class Library:
    """The loaded library with its functions declared."""

    functions: Mapping[str, Any]
    version: str  # "13.1.0"

    def call(self, name: str, *arguments: Any) -> None:  # noqa: ANN401
        """StageFailure with the status where the function does not succeed."""
        status = self.functions[name](*arguments)
        if status == _NOT_SUPPORTED:
            raise NotOnThisDeviceFailure(f"cuBLASLt has no algorithm for this product ({name}).")
        if status != 0:
            raise StageFailure(
                f"{name} failed with cuBLAS status {status}: see cublasStatus_t for its meaning."
            )


class Product:
    """One product described to the library. `candidates` are its heuristics' choices, best guess first."""

    def __init__(self, gemm: Gemm, workspace: Any, stream: int) -> None:  # noqa: ANN401 - a CuPy array
        self._library = library()
        self._gemm = gemm
        self._workspace = workspace
        self._stream = stream
        self._one, self._zero = c_float(1), c_float(0)
        self._operation = self._made("cublasLtMatmulDesc", COMPUTE_32F, DATA_TYPES[Dtype.FLOAT32])
        if gemm.first_is_transposed:
            transposed = c_int32(_TRANSPOSED)
            self._library.call(
                "cublasLtMatmulDescSetAttribute", self._operation, _TRANSPOSE_FIRST, byref(transposed), 4
            )
        self._layouts = (
            self._layout(*gemm.first_shape, gemm.first_stride),
            self._layout(gemm.terms, gemm.columns, gemm.second_stride),
            self._layout(gemm.rows, gemm.columns, gemm.result_stride),
        )
        self.candidates = self._found()

    @property
    def version(self) -> str:
        """Version of the library, such as "13.1.0"."""
        return self._library.version

    def launch_of(self, candidate: Heuristic, stream: int | None = None) -> Callable[[], None]:
        """A call that queues the product by that algorithm on its stream, or on another."""
        gemm, (first, second, result) = self._gemm, self._layouts
        matmul = self._library.functions["cublasLtMatmul"]
        operands = (byref(self._one), gemm.first, first, gemm.second, second, byref(self._zero))
        results = (gemm.result, result, gemm.result, result)
        rest = (candidate.algorithm, self._workspace.data.ptr, self._workspace.nbytes, stream or self._stream)
        arguments = (handle(), self._operation, *operands, *results, *rest)

        def launch() -> None:
            status = matmul(*arguments)
            if status != 0:
                # Also what keeps the layouts and the workspace alive as long as the call.
                raise StageFailure(f"cublasLtMatmul of {self.version} failed with cuBLAS status {status}.")

        return launch

    def _found(self) -> tuple[Heuristic, ...]:
        preference = self._made("cublasLtMatmulPreference")
        most, reductions = c_uint64(self._workspace.nbytes), c_uint32(_REDUCED_IN_COMPUTE_TYPE)
        for attribute, setting in ((_MOST_WORKSPACE, most), (_REDUCTION_SCHEMES, reductions)):
            self._library.call(
                "cublasLtMatmulPreferenceSetAttribute",
                *(preference, attribute, byref(setting), ctypes.sizeof(setting)),
            )
        found, count = (Heuristic * MOST_CANDIDATES)(), c_int(0)
        first, second, result = self._layouts
        self._library.call(
            "cublasLtMatmulAlgoGetHeuristic",
            *(handle(), self._operation, first, second, result, result, preference),
            *(MOST_CANDIDATES, found, byref(count)),
        )
        return tuple(one for one in found[: count.value] if one.status == 0)

    def _layout(self, rows: int, columns: int, stride: int) -> c_void_p:
        return self._made("cublasLtMatrixLayout", DATA_TYPES[self._gemm.dtype], rows, columns, stride)

    def _made(self, kind: str, *arguments: int) -> c_void_p:
        made = c_void_p()
        self._library.call(f"{kind}Create", byref(made), *arguments)
        weakref.finalize(self, self._library.functions[f"{kind}Destroy"], made)
        return made


@cache
def handle() -> c_void_p:
    """The process's handle, for the current device and its context."""
    made = c_void_p()
    library().call("cublasLtCreate", byref(made))
    return made


@cache
def library() -> Library:
    """The one that cuBLAS has loaded, or another that can be found. NotOnThisDeviceFailure without any."""
    for name in _candidates():
        try:
            loaded = ctypes.CDLL(name)
        except OSError:
            continue
        return _declared(loaded)
    raise NotOnThisDeviceFailure(
        "cuBLASLt is not installed here, so this library line cannot be measured: install the CUDA toolkit's "
        "cuBLAS, or `pip install nvidia-cublas`."
    )


def _declared(loaded: ctypes.CDLL) -> Library:
    functions: dict[str, Any] = {}
    for name, arguments in _ARGUMENTS.items():
        function = getattr(loaded, name)
        function.argtypes, function.restype = arguments, c_int
        functions[name] = function
    loaded.cublasLtGetVersion.restype = c_size_t
    number = int(loaded.cublasLtGetVersion())
    return Library(functions, f"{number // 10000}.{number // 100 % 100}.{number % 100}")


def _candidates() -> Iterator[str]:
    """Paths and names in the order in which to try them; what cuBLAS itself uses comes first."""
    maps = Path("/proc/self/maps")
    yield from dict.fromkeys(_MAPPED.findall(maps.read_text()) if maps.exists() else ())
    yield from _NAMES
    wheels = importlib.util.find_spec("nvidia")
    roots = tuple(map(Path, wheels.submodule_search_locations or ())) if wheels else ()
    for folder in (*(lib for root in roots for lib in sorted(root.glob("*/lib"))), *_FOLDERS):
        yield from (str(folder / name) for name in _NAMES if (folder / name).exists())
