"""The maths that every rung of the attention ladder shares."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.problem import Problem, SizeParameter, Tensor

OUTPUT_ROUNDOFF = 2.0**-11
REFERENCE_ROWS = 512
MOST_HEADS, LONGEST, WIDEST_HEAD = 1024, 131_072, 256


def _tensors(size: Size) -> tuple[Tensor, ...]:
    shape = (size["heads"], size["length"], size["head_dim"])
    return (Tensor("Q", shape), Tensor("K", shape), Tensor("V", shape), Tensor("O", shape, is_output=True))


def _scalars(size: Size) -> tuple[int, ...]:
    return (size["heads"], size["length"], size["head_dim"])


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    """Head by head and in blocks of rows: the scores of a head are never whole in float64."""
    output = xp.empty(inputs["Q"].shape, xp.float64)
    for head in range(size["heads"]):
        keys = inputs["K"][head].astype(xp.float64).T / sqrt(size["head_dim"])
        values = inputs["V"][head].astype(xp.float64)
        for start in range(0, size["length"], REFERENCE_ROWS):
            rows = slice(start, start + REFERENCE_ROWS)
            scores = inputs["Q"][head, rows].astype(xp.float64) @ keys
            weights = xp.exp(scores - scores.max(axis=1, keepdims=True))
            output[head, rows] = (weights @ values) / weights.sum(axis=1, keepdims=True)
    return {"O": output}


def _tolerance(size: Size, dtype: Dtype) -> float:
    """Four roundings to float16, each of at most 2^-11 of the value rounded.

    O is rounded once. The weights P are rounded before they meet V on the tensor pipe; their errors are
    independent, so those of a sum stay well below one rounding of the largest O where many keys share the
    weight, and reach about two of them where few do. Products of halves are exact in float32, and sums in
    float32 round 2^-13 times finer. A key left out or counted twice is off by far more.
    """
    return 4 * OUTPUT_ROUNDOFF


def _title(size: Size) -> str:
    return f"{size['heads']}×{size['length']}×{size['head_dim']}"


def _size(heads: int, length: int, head_dim: int) -> Size:
    return Size.of(heads=heads, length=length, head_dim=head_dim)


# One key, parts of a tile, whole tiles, one beyond; both widths that GPU rungs are written for.
AWKWARD_SIZES = tuple(
    _size(heads, length, head_dim)
    for head_dim in (64, 128)
    for heads, length in ((1, 1), (3, 7), (1, 63), (3, 64), (1, 65), (3, 129), (1, 384), (3, 1000))
)

PROBLEM = Problem(
    name="attention",
    title="Attention",
    question="What does it bring to never write the scores of softmax(Q·Kᵀ/√d)·V to memory?",
    size_parameters=(
        SizeParameter("heads", "Heads (batch times heads)", 1, MOST_HEADS, 16),
        SizeParameter("length", "Queries, keys and values a head", 1, LONGEST, 4096),
        SizeParameter("head_dim", "Elements a query", 1, WIDEST_HEAD, 128),
    ),
    dtypes=(Dtype.FLOAT16,),
    tensors=_tensors,
    scalars=_scalars,
    reference=_reference,
    tolerance=_tolerance,
    size_title=_title,
    reference_description="float64 attention of the same inputs",
    suite_sizes=(_size(16, 4096, 128), _size(16, 4096, 64)),
    check_sizes=AWKWARD_SIZES,
)
