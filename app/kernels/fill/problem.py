"""z[i] = pattern[i % 4] for n elements: nothing but stores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

PERIOD = 4  # elements of one 16-byte store


def _tensors(size: Size) -> tuple[Tensor, ...]:
    return Tensor("pattern", (PERIOD,)), Tensor("z", (size["n"],), is_output=True)


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    n = size["n"]
    return {"z": xp.tile(inputs["pattern"], -(-n // PERIOD))[:n]}


PROBLEM = Problem(
    name="fill",
    title="Fill",
    question="How fast is memory that is only written?",
    size_parameters=(SizeParameter("n", "Elements", 1, 2**31 - 1, 2**28),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['n']} elements",
    reference_description="the pattern itself",
    kind=ProblemKind.CEILING,
)
