"""y = x + 1 over a row-major matrix, by two walks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor


def _tensors(size: Size) -> tuple[Tensor, ...]:
    shape = (size["rows"], size["columns"])
    return (Tensor("x", shape), Tensor("y", shape, is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": inputs["x"] + xp.float32(1)}


PROBLEM = Problem(
    name="matrix_walk",
    title="Matrix walk",
    question="What does it cost to walk down the columns of a row-major matrix?",
    size_parameters=(
        SizeParameter("rows", "Rows", 1, 32_768, 1024),
        SizeParameter("columns", "Columns", 1, 32_768, 1024),
    ),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["rows"], size["columns"]),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['rows']}×{size['columns']}",
    reference_description="the same sum in float32, exact",
    kind=ProblemKind.EXPERIMENT,
    suite_sizes=(Size.of(rows=8192, columns=8192),),
    check_sizes=tuple(Size.of(rows=r, columns=c) for r, c in ((1, 1), (33, 65), (257, 31), (128, 256))),
    caches=(CacheState.COLD,),
)
