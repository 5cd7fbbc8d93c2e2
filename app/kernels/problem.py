"""The contract of a problem: the maths that all stages of a ladder share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind

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
    """One array argument, row-major. `dtype` None is the cell's own."""

    name: str
    shape: tuple[int, ...]
    is_output: bool = False
    dtype: Dtype | None = None


@dataclass(frozen=True)
class Problem:
    """The maths: tensors, reference and tolerance. Array functions take the array module (NumPy or CuPy).

    reference(xp, inputs, size) returns the outputs by name in float64, or exact in the inputs' own type.
    tolerance(size, dtype) bounds the largest absolute error divided by the largest absolute reference.
    draw(xp, size, seed) returns inputs that must not be N(0, 1), by tensor name (a permutation, say); a
    problem that takes random normal inputs only leaves it None.
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
    kind: ProblemKind = ProblemKind.LADDER
    draw: Callable[[Any, Size, int], Mapping[str, Any]] | None = None
    suite_sizes: tuple[Size, ...] = ()  # what a suite measures when nobody names sizes
    check_sizes: tuple[Size, ...] = ()  # small and awkward: correctness on a GPU, compute-sanitizer
    caches: tuple[CacheState, ...] = (CacheState.COLD, CacheState.WARM)  # the states worth measuring

    @property
    def is_ladder(self) -> bool:
        """Whether its stages are rungs, shown as a ladder."""
        return self.kind is ProblemKind.LADDER


def needed_bytes(problem: Problem, size: Size, dtype: Dtype) -> int:
    """Bytes of the tensors and of what the check holds beside each: a float64 copy, freshly drawn values."""
    return sum(
        prod(tensor.shape) * (2 * (tensor.dtype or dtype).item_bytes + FLOAT64_BYTES)
        for tensor in problem.tensors(size)
    )
