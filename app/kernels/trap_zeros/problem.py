"""y = 2x with an input that is all zeros: right results that prove nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

MOST_ELEMENTS = 1 << 28


def _tensors(size: Size) -> tuple[Tensor, ...]:
    return (Tensor("x", (size["n"],)), Tensor("y", (size["n"],), is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": 2 * inputs["x"].astype(xp.float64)}


def _zeros(xp: Any, size: Size, seed: int) -> Mapping[str, Any]:  # noqa: ANN401
    return {"x": xp.zeros(size["n"], xp.float32)}


PROBLEM = Problem(
    name="trap_zeros",
    title="Trap of zeros",
    question="Is an input that hides every fault caught?",
    size_parameters=(SizeParameter("n", "Elements", 1, MOST_ELEMENTS, 1 << 20),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['n']:,} elements",
    reference_description="twice the input in float64",
    kind=ProblemKind.TRAP,
    draw=_zeros,
    suite_sizes=(Size.of(n=1 << 20),),
    check_sizes=(Size.of(n=1), Size.of(n=1000)),
    caches=(CacheState.COLD,),
)
