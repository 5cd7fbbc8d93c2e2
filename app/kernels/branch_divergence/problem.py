"""Elements of eight kinds; a kind is a line x -> a x + b of its own, applied many times in its own branch.

The kind of an element is its index modulo KINDS, so neighbours always differ. After ROUNDS steps the value
is a^R x + b (1 - a^R) / (1 - a).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

KINDS = 8
ROUNDS = 256
DEFAULT_N = 2**24
UNIT_ROUNDOFF = 2.0**-24


def _tensors(size: Size) -> tuple[Tensor, ...]:
    shape = (size["n"],)
    return (Tensor("x", shape), Tensor("y", shape, is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    kind = xp.arange(size["n"]) % KINDS
    slope, shift = 1.0 - (kind + 1) / 1024.0, (kind - 3.5) / 64.0
    grown = slope**ROUNDS
    return {"y": grown * inputs["x"].astype(xp.float64) + shift * (1.0 - grown) / (1.0 - slope)}


PROBLEM = Problem(
    name="branch_divergence",
    title="Branch divergence",
    question="What does it cost when lanes of a warp disagree?",
    size_parameters=(SizeParameter("n", "Elements", 1, 2**31 - 1, DEFAULT_N),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    # One rounding a round, each at most half a unit of the largest value.
    tolerance=lambda size, dtype: 2 * ROUNDS * UNIT_ROUNDOFF,
    size_title=lambda size: f"{size['n']:,} elements",
    reference_description="closed form of the repeated line in float64",
    kind=ProblemKind.PAIR,
    suite_sizes=(Size.of(n=DEFAULT_N),),
    check_sizes=(Size.of(n=1), Size.of(n=255), Size.of(n=1000)),
    caches=(CacheState.WARM,),
)
