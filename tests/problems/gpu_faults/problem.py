"""The maths of the faulty GPU ladder: y = 2x."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.problem import Problem, SizeParameter, Tensor


def _tensors(size: Size) -> tuple[Tensor, ...]:
    return (Tensor("x", (size["n"],)), Tensor("y", (size["n"],), is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:
    return {"y": 2 * inputs["x"].astype(xp.float64)}


def _tolerance(size: Size, dtype: Dtype) -> float:
    return 1e-6


PROBLEM = Problem(
    name="gpu_faults",
    title="Faulty doubling on a GPU",
    question="What becomes of a GPU stage that goes wrong?",
    size_parameters=(SizeParameter("n", "Elements", 1, 1 << 30, 1 << 20),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=_tolerance,
    size_title=lambda size: f"{size['n']}",
)
