"""y = 2 x, element by element, by a grid that strides over the elements; exact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

DEFAULT_N = 2**25


def _tensors(size: Size) -> tuple[Tensor, ...]:
    shape = (size["n"],)
    return (Tensor("x", shape), Tensor("y", shape, is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": inputs["x"] * 2}


PROBLEM = Problem(
    name="grid_size",
    title="Grid size",
    question="What does a grid cost that leaves most of the device idle?",
    size_parameters=(SizeParameter("n", "Elements", 1, 2**31 - 1, DEFAULT_N),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['n']:,} elements",
    reference_description="twice the input, exact",
    kind=ProblemKind.PAIR,
    suite_sizes=(Size.of(n=DEFAULT_N),),
    check_sizes=(Size.of(n=1), Size.of(n=33), Size.of(n=100_001)),
    caches=(CacheState.COLD,),
)
