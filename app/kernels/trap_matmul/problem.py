"""C = A·B of square matrices, tiled or counted wrongly."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

TILE = 32
UNIT_ROUNDOFF = 2.0**-24


def _tensors(size: Size) -> tuple[Tensor, ...]:
    shape = (size["n"], size["n"])
    return (Tensor("A", shape), Tensor("B", shape), Tensor("C", shape, is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"C": xp.matmul(inputs["A"].astype(xp.float64), inputs["B"].astype(xp.float64))}


def _tolerance(size: Size, dtype: Dtype) -> float:
    """Rounding of a sum of n float32 products grows as sqrt(n)."""
    return UNIT_ROUNDOFF * (8 + 2 * sqrt(size["n"]) * max(1.0, 4096 / size["n"] ** 2))


PROBLEM = Problem(
    name="trap_matmul",
    title="Traps of a matrix product",
    question="Is a product that is tiled or counted wrongly caught?",
    size_parameters=(SizeParameter("n", "Rows and columns", TILE, 16_384, 1024),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=_tolerance,
    size_title=lambda size: f"{size['n']}²",
    kind=ProblemKind.TRAP,
    suite_sizes=(Size.of(n=1500),),  # no multiple of TILE, and 2·1500³ passes 2³¹
    check_sizes=(Size.of(n=33), Size.of(n=100)),
    caches=(CacheState.COLD,),
)
