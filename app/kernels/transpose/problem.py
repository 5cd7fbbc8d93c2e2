"""y = x transposed, both row-major."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor


def _tensors(size: Size) -> tuple[Tensor, ...]:
    rows, columns = size["rows"], size["columns"]
    return (Tensor("x", (rows, columns)), Tensor("y", (columns, rows), is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": xp.ascontiguousarray(inputs["x"].T)}


PROBLEM = Problem(
    name="transpose",
    title="Transpose",
    question="How can both sides of a transpose be fast?",
    size_parameters=(
        SizeParameter("rows", "Rows of x", 1, 65_535, 1024),
        SizeParameter("columns", "Columns of x", 1, 65_535, 1024),
    ),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["rows"], size["columns"]),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['rows']}×{size['columns']}",
    reference_description="the transpose itself",
    kind=ProblemKind.EXPERIMENT,
    suite_sizes=(
        Size.of(rows=8192, columns=8192),
        Size.of(rows=4097, columns=1023),
        Size.of(rows=3072, columns=3072),
    ),
    check_sizes=tuple(
        Size.of(rows=r, columns=c) for r, c in ((1, 1), (33, 65), (257, 31), (64, 128), (100, 96))
    ),
    caches=(CacheState.COLD,),
)
