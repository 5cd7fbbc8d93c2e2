"""y = x, the smallest thing a memory system can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor


def _tensors(size: Size) -> tuple[Tensor, ...]:
    return (Tensor("x", (size["n"],)), Tensor("y", (size["n"],), is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": inputs["x"]}


GIBIBYTE_N = 2**28
MATRIX_N = 8192 * 8192  # what the transpose moves: its copy is measured beside it

PROBLEM = Problem(
    name="copy",
    title="Copy",
    question="Does the width of a load decide how fast memory is read?",
    size_parameters=(SizeParameter("n", "Elements", 1, 2**31 - 1, 2**22),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: "1 GiB" if size["n"] == GIBIBYTE_N else f"{size['n']} elements",
    reference_description="the input itself",
    kind=ProblemKind.EXPERIMENT,
    suite_sizes=(Size.of(n=GIBIBYTE_N), Size.of(n=MATRIX_N), Size.of(n=32_001)),
    check_sizes=tuple(Size.of(n=n) for n in (1, 3, 31, 4096, 32_001, 100_000)),
    caches=(CacheState.COLD,),
)
