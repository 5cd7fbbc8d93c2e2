"""y[i] = x[i + offset]: one variable, where the warp begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

MOST = 8


def _tensors(size: Size) -> tuple[Tensor, ...]:
    return (Tensor("x", (size["n"] + MOST,)), Tensor("y", (size["n"],), is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": inputs["x"][size["offset"] : size["offset"] + size["n"]]}


PROBLEM = Problem(
    name="offset_access",
    title="Offset access",
    question="What does a slice cost that begins one word too late?",
    size_parameters=(
        SizeParameter("n", "Elements", 1, 2**30, 2**20),
        SizeParameter("offset", "Offset in words", 0, MOST, 0),
    ),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"], size["offset"]),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"offset {size['offset']}",
    reference_description="the slice itself",
    kind=ProblemKind.EXPERIMENT,
    suite_sizes=tuple(Size.of(n=2**26, offset=offset) for offset in range(MOST + 1)),
    check_sizes=tuple(Size.of(n=n, offset=o) for n, o in ((1, 0), (33, 8), (1000, 1), (4096, 5))),
    caches=(CacheState.COLD,),
)
