"""The maths that every rung of the matmul ladder shares."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.problem import Problem, SizeParameter, Tensor

UNIT_ROUNDOFF = 2.0**-24
LARGEST_EXTENT = 65_536


def _tensors(size: Size) -> tuple[Tensor, ...]:
    m, n, k = size["m"], size["n"], size["k"]
    return (Tensor("A", (m, k)), Tensor("B", (k, n)), Tensor("C", (m, n), is_output=True))


def _scalars(size: Size) -> tuple[int, ...]:
    return (size["m"], size["n"], size["k"])


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"C": xp.matmul(inputs["A"].astype(xp.float64), inputs["B"].astype(xp.float64))}


def _tolerance(size: Size, dtype: Dtype) -> float:
    """Rounding of a sum of k float32 products grows as sqrt(k); TF32 would exceed this tenfold.

    Few results may all lie near zero by cancellation, so below 4096 of them the bound widens.
    """
    few_results = max(1.0, 4096 / (size["m"] * size["n"]))
    return UNIT_ROUNDOFF * (8 + 2 * sqrt(size["k"]) * few_results)


def _title(size: Size) -> str:
    m, n, k = size["m"], size["n"], size["k"]
    return f"{m}³" if m == n == k else f"{m}×{n}×{k}"


PROBLEM = Problem(
    name="matmul",
    title="Matrix multiplication",
    question="How close to the roof does C = A·B come, and what does each step towards it bring?",
    size_parameters=(
        SizeParameter("m", "Rows of C", 1, LARGEST_EXTENT, 1024),
        SizeParameter("n", "Columns of C", 1, LARGEST_EXTENT, 1024),
        SizeParameter("k", "Terms of each sum", 1, LARGEST_EXTENT, 1024),
    ),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=_scalars,
    reference=_reference,
    tolerance=_tolerance,
    size_title=_title,
    reference_description="float64 matrix product of the same inputs",
    check_sizes=tuple(
        Size.of(m=m, n=n, k=k)
        for m, n, k in ((1, 1, 1), (33, 65, 17), (3, 68, 132), (8, 132, 320), (130, 260, 36), (257, 129, 40))
    ),
)
