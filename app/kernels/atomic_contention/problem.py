"""Histogram of n values in 0..BINS-1, exact. One call launches twice: the first clears the bins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

BINS = 16
DEFAULT_N = 2**23
LARGEST_N = 2**30


def _tensors(size: Size) -> tuple[Tensor, ...]:
    return (Tensor("x", (size["n"],)), Tensor("bins", (BINS,), is_output=True))


def _draw(xp: Any, size: Size, seed: int) -> Mapping[str, Any]:  # noqa: ANN401
    """Scattered by multiplication modulo 2^32 (golden ratio); the seed decides where it starts."""
    scattered = (xp.arange(size["n"], dtype=xp.int64) + seed % 1000) * 2_654_435_761
    return {"x": ((scattered >> 17) & (BINS - 1)).astype(xp.int32)}


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"bins": xp.bincount(inputs["x"], minlength=BINS)}


PROBLEM = Problem(
    name="atomic_contention",
    title="Atomic contention",
    question="What does it cost when every thread adds to the same few words?",
    size_parameters=(SizeParameter("n", "Values counted", 1, LARGEST_N, DEFAULT_N),),
    dtypes=(Dtype.INT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['n']:,} values",
    reference_description="exact count by the array library",
    kind=ProblemKind.PAIR,
    draw=_draw,
    suite_sizes=(Size.of(n=DEFAULT_N),),
    check_sizes=(Size.of(n=1), Size.of(n=33), Size.of(n=100_001)),
    caches=(CacheState.COLD,),
)
