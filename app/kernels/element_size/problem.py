"""y = x, in elements of 1 to 16 bytes a thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor


def _tensors(size: Size) -> tuple[Tensor, ...]:
    return (Tensor("x", (size["n"],)), Tensor("y", (size["n"],), is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": inputs["x"]}


PROBLEM = Problem(
    name="element_size",
    title="Element size",
    question="How many bytes should one thread load?",
    size_parameters=(SizeParameter("n", "Words", 1, 2**29, 2**20),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['n']} words",
    reference_description="the input itself",
    kind=ProblemKind.EXPERIMENT,
    suite_sizes=(Size.of(n=2**26),),
    check_sizes=tuple(Size.of(n=n) for n in (1, 4, 33, 1000, 4096)),
    caches=(CacheState.COLD,),
)
