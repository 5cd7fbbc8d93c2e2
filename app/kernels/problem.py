"""The contract of a problem: the maths that all stages of a ladder share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import Dtype

FLOAT64_BYTES = 8


@dataclass(frozen=True)
class SizeParameter:
    """One whole number of a size and its accepted range, both ends included."""

    name: str
    title: str
    minimum: int
    maximum: int
    default: int


@dataclass(frozen=True)
class Tensor:
    """One array argument, row-major."""

    name: str
    shape: tuple[int, ...]
    is_output: bool = False


@dataclass(frozen=True)
class Problem:
    """The maths: tensors, reference and tolerance. Array functions take the array module (NumPy or CuPy).

    reference(xp, inputs, size) returns the outputs by name in float64, or exact in the inputs' own type.
    tolerance(size, dtype) bounds the largest absolute error divided by the largest absolute reference.
    """

    name: str
    title: str
    question: str
    size_parameters: tuple[SizeParameter, ...]
    dtypes: tuple[Dtype, ...]
    tensors: Callable[[Size], tuple[Tensor, ...]]
    scalars: Callable[[Size], tuple[int, ...]]  # passed after the tensors, as 32-bit ints
    reference: Callable[[Any, Mapping[str, Any], Size], Mapping[str, Any]]
    tolerance: Callable[[Size, Dtype], float]
    size_title: Callable[[Size], str]  # "4096³", "4097×513×129"
    reference_description: str = "float64 reference"
    is_ladder: bool = True  # False for the micro-benchmarks behind the ceilings


def needed_bytes(problem: Problem, size: Size, dtype: Dtype) -> int:
    """Bytes of the tensors and of what the check holds beside each: a float64 copy, freshly drawn values."""
    elements = sum(prod(tensor.shape) for tensor in problem.tensors(size))
    return elements * (2 * dtype.item_bytes + FLOAT64_BYTES)
