"""y[i] = x[i * stride] + 1: one variable, the distance between lanes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor


def _tensors(size: Size) -> tuple[Tensor, ...]:
    return (Tensor("x", (size["n"] * size["stride"],)), Tensor("y", (size["n"],), is_output=True))


def _draw(xp: Any, size: Size, seed: int) -> Mapping[str, Any]:  # noqa: ANN401
    """In parts: at stride 32 the input has 2³¹ elements, and a generator may count in 32 bits."""
    generator = xp.random.default_rng(seed)
    x = xp.empty(size["n"] * size["stride"], xp.float32)
    for start in range(0, x.size, DRAWN_AT_ONCE):
        part = x[start : start + DRAWN_AT_ONCE]
        part[...] = generator.standard_normal(part.shape, dtype=xp.float32)
    return {"x": x}


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": inputs["x"][:: size["stride"]] + xp.float32(1)}


OUTPUTS = 2**26
STRIDES = (1, 2, 4, 8, 16, 32)
DRAWN_AT_ONCE = 2**27

PROBLEM = Problem(
    name="strided_access",
    title="Strided access",
    question="What does a gap between neighbouring lanes cost?",
    size_parameters=(
        SizeParameter("n", "Outputs", 1, 2**27, 2**20),
        SizeParameter("stride", "Stride in words", 1, 64, 1),
    ),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"], size["stride"]),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"stride {size['stride']}",
    reference_description="the same sum in float32, exact",
    kind=ProblemKind.EXPERIMENT,
    draw=_draw,
    suite_sizes=tuple(Size.of(n=OUTPUTS, stride=stride) for stride in STRIDES),
    check_sizes=tuple(Size.of(n=n, stride=s) for n, s in ((1, 1), (33, 7), (1000, 32), (4096, 2))),
    caches=(CacheState.COLD,),
)
