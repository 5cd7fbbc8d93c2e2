"""C = A·B of float16 matrices, summed and stored in float32. Row-major, any M, N, K."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

UNIT_ROUNDOFF = 2.0**-24
LARGEST_EXTENT = 32_768
DEFAULT_EXTENT = 2048


def _tensors(size: Size) -> tuple[Tensor, ...]:
    m, n, k = size["m"], size["n"], size["k"]
    return (
        Tensor("A", (m, k)),
        Tensor("B", (k, n)),
        Tensor("C", (m, n), is_output=True, dtype=Dtype.FLOAT32),
    )


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"C": xp.matmul(inputs["A"].astype(xp.float64), inputs["B"].astype(xp.float64))}


def _tolerance(size: Size, dtype: Dtype) -> float:
    """Products of halves are exact in float32, so only sums round: as in float32, and the tensor pipe cuts
    off two bits more. A sum in float16 would be off by 2^-11, far beyond this.

    Few results may all lie near zero by cancellation, so below 4096 of them the bound widens.
    """
    few_results = max(1.0, 4096 / (size["m"] * size["n"]))
    return 4 * UNIT_ROUNDOFF * (8 + 2 * sqrt(size["k"]) * few_results)


def _title(size: Size) -> str:
    m, n, k = size["m"], size["n"], size["k"]
    return f"{m}³" if m == n == k else f"{m}×{n}×{k}"


PROBLEM = Problem(
    name="tensor_pipe",
    title="Half precision off the tensor pipe",
    question="What do halves cost without the tensor pipe?",
    size_parameters=(
        SizeParameter("m", "Rows of C", 1, LARGEST_EXTENT, DEFAULT_EXTENT),
        SizeParameter("n", "Columns of C", 1, LARGEST_EXTENT, DEFAULT_EXTENT),
        SizeParameter("k", "Terms of each sum", 1, LARGEST_EXTENT, DEFAULT_EXTENT),
    ),
    dtypes=(Dtype.FLOAT16,),
    tensors=_tensors,
    scalars=lambda size: (size["m"], size["n"], size["k"]),
    reference=_reference,
    tolerance=_tolerance,
    size_title=_title,
    reference_description="float64 matrix product of the same halves",
    kind=ProblemKind.PAIR,
    suite_sizes=(Size.of(m=DEFAULT_EXTENT, n=DEFAULT_EXTENT, k=DEFAULT_EXTENT),),
    check_sizes=(
        Size.of(m=1, n=1, k=1),
        Size.of(m=65, n=63, k=33),
        Size.of(m=128, n=72, k=40),
        Size.of(m=100, n=136, k=200),
    ),
    caches=(CacheState.WARM,),
)
