"""y = W x for one token: every weight is read once, so memory decides."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

UNIT_ROUNDOFF = 2.0**-24


def _tensors(size: Size) -> tuple[Tensor, ...]:
    n, k = size["n"], size["k"]
    return (Tensor("W", (n, k)), Tensor("x", (k,)), Tensor("y", (n,), is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": inputs["W"].astype(xp.float64) @ inputs["x"].astype(xp.float64)}


def _tolerance(size: Size, dtype: Dtype) -> float:
    """Rounding of a sum of k products; few results may all lie near zero by cancellation."""
    return UNIT_ROUNDOFF * (8 + 2 * sqrt(size["k"]) * max(1.0, 64 / size["n"]))


PROBLEM = Problem(
    name="gemv",
    title="Decode GEMV",
    question="How near to the read roof does a matrix-vector product come?",
    size_parameters=(
        SizeParameter("n", "Outputs", 1, 2**20, 1024),
        SizeParameter("k", "Terms of each sum", 1, 2**17, 1024),
    ),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"], size["k"]),
    reference=_reference,
    tolerance=_tolerance,
    size_title=lambda size: f"1×{size['k']}×{size['n']}",
    kind=ProblemKind.EXPERIMENT,
    suite_sizes=(Size.of(n=16_384, k=4096),),
    check_sizes=tuple(Size.of(n=n, k=k) for n, k in ((1, 4), (5, 4096), (17, 100), (300, 1020))),
    caches=(CacheState.COLD,),
)
