"""PASSES weighted sums of every chunk of an array, so that each chunk is read PASSES times.

sums[p, c] = sum over the elements i of chunk c of ((i + p) mod PASSES) x[i].
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

PASSES = 8
CHUNK = 4096  # elements
DEFAULT_N = 2**26  # 256 MiB: beyond any last-level cache of today
UNIT_ROUNDOFF = 2.0**-24


def chunks(size: Size) -> int:
    """Chunks of the array, the last one perhaps partly filled."""
    return -(-size["n"] // CHUNK)


def _tensors(size: Size) -> tuple[Tensor, ...]:
    return (Tensor("x", (size["n"],)), Tensor("sums", (PASSES, chunks(size)), is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    padded = xp.zeros(chunks(size) * CHUNK, xp.float64)
    padded[: size["n"]] = inputs["x"]
    position = xp.arange(CHUNK)  # PASSES divides CHUNK, so the weights are those of the whole array
    weights = (position[:, None] + xp.arange(PASSES)[None, :]) % PASSES
    return {"sums": (padded.reshape(-1, CHUNK) @ weights.astype(xp.float64)).T}


PROBLEM = Problem(
    name="cache_walk",
    title="Walk through the cache",
    question="What does it cost to come back to data after the cache has forgotten them?",
    size_parameters=(SizeParameter("n", "Elements", 1, 2**31 - 1, DEFAULT_N),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    # A sum of at most CHUNK terms in a tree above 16 of a thread; the largest sum is no smaller than a term.
    tolerance=lambda size, dtype: UNIT_ROUNDOFF * (16 + 2 * sqrt(CHUNK)),
    size_title=lambda size: f"{size['n']:,} elements",
    reference_description="the same sums in float64",
    kind=ProblemKind.PAIR,
    suite_sizes=(Size.of(n=DEFAULT_N),),
    check_sizes=(Size.of(n=1), Size.of(n=4097), Size.of(n=100_003)),
    caches=(CacheState.COLD,),
)
