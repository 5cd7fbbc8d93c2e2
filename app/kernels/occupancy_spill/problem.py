"""Rings of values averaged with their neighbours, many times: as many live values as a stage cares to hold.

Each thread has RINGS rings of RING values. A round replaces every value by the mean of itself and the next
of its ring, ROUNDS times. Stages differ in how many rings they keep in registers at once and in the blocks
an SM that they force; the result is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

RING = 8
RINGS = 8
VALUES = RING * RINGS  # of a thread
ROUNDS = 32
DEFAULT_N = 2**19
UNIT_ROUNDOFF = 2.0**-24


def _tensors(size: Size) -> tuple[Tensor, ...]:
    shape = (VALUES, size["n"])
    return (Tensor("x", shape), Tensor("y", shape, is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    rings = inputs["x"].astype(xp.float64).reshape(RINGS, RING, size["n"])
    for _ in range(ROUNDS):
        rings = 0.5 * (rings + xp.roll(rings, -1, axis=1))
    return {"y": rings.reshape(VALUES, size["n"])}


PROBLEM = Problem(
    name="occupancy_spill",
    title="Occupancy against spilling",
    question="What does it cost to force more blocks onto an SM?",
    size_parameters=(SizeParameter("n", "Threads with 64 values each", 1, 2**24, DEFAULT_N),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 2 * ROUNDS * UNIT_ROUNDOFF,
    size_title=lambda size: f"{size['n']} threads",
    reference_description="the same means in float64",
    kind=ProblemKind.EXPERIMENT,
    suite_sizes=(Size.of(n=DEFAULT_N),),
    check_sizes=(Size.of(n=1), Size.of(n=33), Size.of(n=1000)),
    caches=(CacheState.COLD,),
)
