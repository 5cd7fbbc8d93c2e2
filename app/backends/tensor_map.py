"""Tensor maps for the copy engine (TMA): encoded by the driver, passed to a kernel by value.

Imports no CuPy: the driver's library is asked through ctypes, and encoding needs no stream.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import cache
from math import prod
from typing import Any

import numpy as np

from app.domain.errors import NotOnThisDeviceFailure, StageFailure
from app.domain.vocabulary import Dtype
from app.kernels.stage import TensorMap

WORDS = 16
ROW_ALIGNMENT_BYTES = 16
_BUFFER_ALIGNMENT_BYTES = 128  # the driver asks for 64; the kernel's parameter is aligned to 128
_BY_VALUE = np.dtype([("words", np.uint64, WORDS)])

# The driver's enumerations: CUtensorMapDataType, CUtensorMapSwizzle, CUtensorMapL2promotion.
_DATA_TYPES: Mapping[Dtype, int] = {
    Dtype.INT32: 3,
    Dtype.FLOAT16: 6,
    Dtype.FLOAT32: 7,
    Dtype.BFLOAT16: 9,
}
_SWIZZLES: Mapping[int, int] = {0: 0, 32: 1, 64: 2, 128: 3}
_PROMOTIONS: Mapping[int, int] = {0: 0, 64: 1, 128: 2, 256: 3}
_NOT_INTERLEAVED = 0
_OUTSIDE_IS_ZERO = 0


def encoded(tensor_map: TensorMap, address: int, shape: Sequence[int], dtype: Dtype) -> Any:  # noqa: ANN401
    """The 128 bytes as a NumPy array of one element, which CuPy passes by value.

    `shape`: the tensor's, row-major; axes before the last count as rows. `address`: of its first element.
    Raises StageFailure where a row is no multiple of 16 bytes or the driver refuses, NotOnThisDeviceFailure
    where the driver has no tensor maps.
    """
    rows, columns = prod(shape[:-1]), shape[-1]
    row_bytes = columns * dtype.item_bytes
    if row_bytes % ROW_ALIGNMENT_BYTES:
        raise StageFailure(
            f"A row of {tensor_map.tensor} has {row_bytes} bytes, no multiple of {ROW_ALIGNMENT_BYTES}: the "
            "copy engine (TMA) cannot read it. Say so in the stage's `why_not`, or choose another size."
        )
    storage = ctypes.create_string_buffer(WORDS * 8 + _BUFFER_ALIGNMENT_BYTES)
    start = -(-ctypes.addressof(storage) // _BUFFER_ALIGNMENT_BYTES) * _BUFFER_ALIGNMENT_BYTES
    box_rows, box_columns = tensor_map.box
    status = _encode()(
        start,
        _DATA_TYPES[dtype],
        2,
        address,
        (ctypes.c_uint64 * 2)(columns, rows),  # innermost first, as all that follow
        (ctypes.c_uint64 * 1)(row_bytes),
        (ctypes.c_uint32 * 2)(box_columns, box_rows),
        (ctypes.c_uint32 * 2)(1, 1),
        _NOT_INTERLEAVED,
        _SWIZZLES[tensor_map.swizzle_bytes],
        _PROMOTIONS[tensor_map.promotion_bytes],
        _OUTSIDE_IS_ZERO,
    )
    if status != 0:
        raise StageFailure(
            f"The driver refused a tensor map of {tensor_map.tensor} (error {status}): box {box_rows} by "
            f"{box_columns}, swizzle {tensor_map.swizzle_bytes} bytes, {rows} rows of {row_bytes} bytes. "
            "Correct the stage's `tensor_maps`."
        )
    return np.frombuffer(ctypes.string_at(start, WORDS * 8), _BY_VALUE)


@cache
def _encode() -> Any:  # noqa: ANN401 - a ctypes function
    try:
        function = ctypes.CDLL("libcuda.so.1").cuTensorMapEncodeTiled
    except (OSError, AttributeError) as error:
        raise NotOnThisDeviceFailure(
            f"The NVIDIA driver encodes no tensor maps here ({error}): update it to one for CUDA 12 or later."
        ) from error
    pointer = ctypes.c_void_p
    function.restype = ctypes.c_int
    function.argtypes = [pointer, ctypes.c_int, ctypes.c_uint32, *[pointer] * 5, *[ctypes.c_int] * 4]
    return function
