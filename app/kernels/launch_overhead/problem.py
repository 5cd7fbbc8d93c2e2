"""y = 2 x + 1, element by element: little work, so that what a launch costs shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

SLICE = 4096  # elements of one small launch
LARGEST_LAUNCHES = 512  # the driver's queue must hold them all, or the host's pace would be timed
DEFAULT_N = 256 * SLICE
UNIT_ROUNDOFF = 2.0**-24


def _tensors(size: Size) -> tuple[Tensor, ...]:
    shape = (size["n"],)
    return (Tensor("x", shape), Tensor("y", shape, is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": 2 * inputs["x"].astype(xp.float64) + 1}


PROBLEM = Problem(
    name="launch_overhead",
    title="Launch overhead",
    question="What do hundreds of tiny launches cost against a single one?",
    size_parameters=(SizeParameter("n", "Elements", 1, LARGEST_LAUNCHES * SLICE, DEFAULT_N),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 2 * UNIT_ROUNDOFF,  # one rounding of the multiply-add
    size_title=lambda size: f"{size['n']:,} elements",
    reference_description="2 x + 1 in float64",
    kind=ProblemKind.PAIR,
    suite_sizes=(Size.of(n=DEFAULT_N),),
    check_sizes=(Size.of(n=1), Size.of(n=4097), Size.of(n=10_001)),
    caches=(CacheState.COLD,),  # warm windows hold many calls, more launches than the queue takes
)
