"""Copy a slice of n elements. The same values lie twice in memory: from word 1 on, and from a boundary on.

A stage reads one of the two, so both must give the same y, bit for bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

DEFAULT_N = 2**26
SHIFT = 1  # words from the boundary to the slice in `shifted`


def _tensors(size: Size) -> tuple[Tensor, ...]:
    n = size["n"]
    return (Tensor("shifted", (n + SHIFT,)), Tensor("aligned", (n,)), Tensor("y", (n,), is_output=True))


def _draw(xp: Any, size: Size, seed: int) -> Mapping[str, Any]:  # noqa: ANN401
    values = xp.random.default_rng(seed).standard_normal(size["n"] + SHIFT, dtype=xp.float32)
    return {"shifted": values, "aligned": values[SHIFT:]}


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": inputs["aligned"]}


PROBLEM = Problem(
    name="alignment",
    title="Alignment of a slice",
    question="What does a slice cost that starts one word past a boundary?",
    size_parameters=(SizeParameter("n", "Elements", 1, 2**31 - 2, DEFAULT_N),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['n']:,} elements",
    reference_description="the slice itself",
    kind=ProblemKind.PAIR,
    draw=_draw,
    suite_sizes=(Size.of(n=DEFAULT_N),),
    check_sizes=(Size.of(n=1), Size.of(n=1023), Size.of(n=32_001)),
    caches=(CacheState.COLD,),
)
