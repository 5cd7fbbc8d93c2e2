"""y = x at a distance: an experiment over one variable, warm only, at sizes of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor


def _tensors(size: Size) -> tuple[Tensor, ...]:
    return (
        Tensor("x", (size["n"] * size["step"],)),
        Tensor("order", (size["n"],), dtype=Dtype.INT32),
        Tensor("y", (size["n"],), is_output=True),
    )


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:
    return {"y": inputs["x"][inputs["order"] * size["step"]]}


def _draw(xp: Any, size: Size, seed: int) -> Mapping[str, Any]:
    return {"order": xp.random.default_rng(seed).permutation(size["n"])}


PROBLEM = Problem(
    name="walks",
    title="Walks",
    question="What does a step cost?",
    size_parameters=(
        SizeParameter("n", "Elements", 1, 1 << 20, 100),
        SizeParameter("step", "Step", 1, 64, 1),
    ),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"], size["step"]),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['n']} by {size['step']}",
    kind=ProblemKind.EXPERIMENT,
    draw=_draw,
    suite_sizes=tuple(Size.of(n=1000, step=step) for step in (1, 2, 4)),
    caches=(CacheState.WARM,),
)
