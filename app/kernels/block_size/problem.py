"""y = 2 x over many elements, one a thread: nothing differs between the stages but the block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

DEFAULT_N = 2**26  # 256 MiB read and 256 MiB written: far beyond any cache


def _tensors(size: Size) -> tuple[Tensor, ...]:
    return (Tensor("x", (size["n"],)), Tensor("y", (size["n"],), is_output=True))


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    return {"y": 2 * inputs["x"]}


PROBLEM = Problem(
    name="block_size",
    title="Block size",
    question="How many threads should a block of a streaming kernel have?",
    size_parameters=(SizeParameter("n", "Elements", 1, 2**31 - 1, DEFAULT_N),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['n']} elements",
    reference_description="exact doubles of the input",
    kind=ProblemKind.EXPERIMENT,
    suite_sizes=(Size.of(n=DEFAULT_N),),
    check_sizes=(Size.of(n=1), Size.of(n=1023), Size.of(n=4097)),
    caches=(CacheState.COLD,),
)
