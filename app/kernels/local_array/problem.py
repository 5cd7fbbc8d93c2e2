"""Sort COUNT values that a thread owns: column i of x, ascending, into column i of y."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

COUNT = 16
DEFAULT_N = 2**21


def _tensors(size: Size) -> tuple[Tensor, ...]:
    shape = (COUNT, size["n"])
    return (Tensor("x", shape), Tensor("y", shape, is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": xp.sort(inputs["x"], axis=0)}


PROBLEM = Problem(
    name="local_array",
    title="Indexed local array",
    question="What does an index known only at run time cost?",
    size_parameters=(SizeParameter("n", "Threads with 16 values each", 1, 2**26, DEFAULT_N),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['n']:,} threads",
    reference_description="the same values sorted by the array library, exact",
    kind=ProblemKind.PAIR,
    suite_sizes=(Size.of(n=DEFAULT_N),),
    check_sizes=(Size.of(n=1), Size.of(n=33), Size.of(n=1000)),
    caches=(CacheState.COLD,),
)
