"""y = x transposed through a shared tile, right with padded rows and with unpadded ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor


def _tensors(size: Size) -> tuple[Tensor, ...]:
    shape = (size["n"], size["n"])
    return (Tensor("x", shape), Tensor("y", shape, is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": xp.ascontiguousarray(inputs["x"].T)}


PROBLEM = Problem(
    name="trap_tile",
    title="Trap of the unpadded tile",
    question="Is a tile that is right and slow found?",
    size_parameters=(SizeParameter("n", "Rows and columns", 1, 32_768, 1024),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['n']}²",
    reference_description="the transpose itself",
    kind=ProblemKind.TRAP,
    suite_sizes=(Size.of(n=4096),),
    check_sizes=(Size.of(n=33), Size.of(n=128)),
    caches=(CacheState.COLD,),
)
