"""Micro-benchmarks behind the roofs. Each does its work and must end with z = x, bit for bit.

A copy leaves z = x by itself; the triad adds 0 y; the multiply-add chains apply an even number of
fma(value, -1, 0). The factors are run-time values, so no compiler can leave the work out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor


def _tensors(size: Size) -> tuple[Tensor, ...]:
    n = size["n"]
    return (Tensor("x", (n,)), Tensor("y", (n,)), Tensor("z", (n,), is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"z": inputs["x"]}


PROBLEM = Problem(
    name="ceilings",
    title="Ceilings",
    question="How fast are this device's memory and arithmetic at their best?",
    size_parameters=(SizeParameter("n", "Elements", 1, 2**31 - 1, 2**22),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['n']} elements",
    reference_description="the input itself",
    kind=ProblemKind.CEILING,
)
