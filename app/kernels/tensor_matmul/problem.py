"""The maths that every rung of the tensor ladders shares: both operands lie with K running fastest."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.problem import Problem, SizeParameter, Tensor

OUTPUT_ROUNDOFF = {Dtype.FLOAT16: 2.0**-11, Dtype.BFLOAT16: 2.0**-8}
SUM_ROUNDOFF = 2.0**-24
TERMS_OF_AN_INSTRUCTION = 16
LARGEST_EXTENT = 65_536
REFERENCE_ROWS = 1024


def _tensors(size: Size) -> tuple[Tensor, ...]:
    m, n, k = size["m"], size["n"], size["k"]
    return (Tensor("A", (m, k)), Tensor("B", (n, k)), Tensor("C", (m, n), is_output=True))


def _scalars(size: Size) -> tuple[int, ...]:
    return (size["m"], size["n"], size["k"])


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    """By blocks of rows: A is never whole in float64."""
    product = xp.empty((size["m"], size["n"]), xp.float64)
    right = inputs["B"].astype(xp.float64).T
    for start in range(0, size["m"], REFERENCE_ROWS):
        rows = slice(start, start + REFERENCE_ROWS)
        product[rows] = xp.matmul(inputs["A"][rows].astype(xp.float64), right)
    return {"C": product}


def _tolerance(size: Size, dtype: Dtype) -> float:
    """Rounding of the output, and of the sum in float32, which the tensor cores cut off instead of rounding.

    Rounding of k products grows as sqrt(k), cutting off as the number of instructions. Few results may all
    lie near zero by cancellation, so below 4096 of them the bound on the sum widens, as for `matmul`.
    """
    few_results = max(1.0, 4096 / (size["m"] * size["n"]))
    instructions = size["k"] / TERMS_OF_AN_INSTRUCTION
    return OUTPUT_ROUNDOFF[dtype] + SUM_ROUNDOFF * (8 + (2 * sqrt(size["k"]) + instructions) * few_results)


def _title(size: Size) -> str:
    m, n, k = size["m"], size["n"], size["k"]
    return f"{m}³" if m == n == k else f"{m}×{n}×{k}"


PROBLEM = Problem(
    name="tensor_matmul",
    title="Matrix multiplication on tensor cores",
    question="How close to the tensor roof does C = A·Bᵀ come, and what does each step towards it bring?",
    size_parameters=(
        SizeParameter("m", "Rows of C", 1, LARGEST_EXTENT, 1024),
        SizeParameter("n", "Columns of C", 1, LARGEST_EXTENT, 1024),
        SizeParameter("k", "Terms of each sum", 1, LARGEST_EXTENT, 1024),
    ),
    dtypes=(Dtype.FLOAT16, Dtype.BFLOAT16),
    tensors=_tensors,
    scalars=_scalars,
    reference=_reference,
    tolerance=_tolerance,
    size_title=_title,
    reference_description="float64 matrix product of the same inputs",
    # One row, one column, odd edges, one to five blocks of 64 terms, more tiles than a fixed grid has blocks.
    check_sizes=tuple(
        Size.of(m=m, n=n, k=k)
        for m, n, k in (
            *((1, 8, 8), (1, 1, 1), (7, 5, 3), (129, 127, 31), (1, 264, 72), (130, 8, 64), (257, 520, 136)),
            *((128, 256, 64 * blocks) for blocks in range(1, 6)),
            (2176, 2056, 64),
        )
    ),
)
