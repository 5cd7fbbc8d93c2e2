"""Walsh-Hadamard transform of VALUES values a thread, TRANSFORMS times, each divided by 8.

Divided by 8 = sqrt(64) the transform is its own inverse, so an odd number of them gives the transform once:
column i of y is H column i of x / 8 with H[j, k] = (-1)^(number of common bits of j and k).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

VALUES = 64
STEPS = 6  # log2 of VALUES
TRANSFORMS = 3
DEFAULT_N = 2**19
UNIT_ROUNDOFF = 2.0**-24


def _tensors(size: Size) -> tuple[Tensor, ...]:
    shape = (VALUES, size["n"])
    return (Tensor("x", shape), Tensor("y", shape, is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    values = inputs["x"].astype(xp.float64)
    for step in range(STEPS):
        pairs = values.reshape(-1, 2, 2**step, size["n"])
        values = xp.stack((pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]), axis=1)
    return {"y": values.reshape(VALUES, size["n"]) / 8}


PROBLEM = Problem(
    name="register_cap",
    title="Capped registers",
    question="What does it cost to allow a kernel fewer registers than it needs?",
    size_parameters=(SizeParameter("n", "Threads with 64 values each", 1, 2**24, DEFAULT_N),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    # A rounding a step, whose sums are at most 8 times the largest result.
    tolerance=lambda size, dtype: 8 * STEPS * TRANSFORMS * UNIT_ROUNDOFF,
    size_title=lambda size: f"{size['n']:,} threads",
    reference_description="the same transform in float64",
    kind=ProblemKind.PAIR,
    suite_sizes=(Size.of(n=DEFAULT_N),),
    check_sizes=(Size.of(n=1), Size.of(n=33), Size.of(n=1000)),
    caches=(CacheState.COLD,),
)
