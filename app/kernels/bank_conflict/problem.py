"""A warp reads shared memory over and over in one pattern; its time is the wavefronts of the pattern.

Lane i reads word (i // sharers) * stride, then the same 32 words further on, and so on: moving by 32 words
changes no bank, so all READS of a thread conflict alike. Each thread ends with the sum of what it read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.analysis.bank_conflicts import BANKS, WARP, wavefronts
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

LARGEST_STRIDE = 33
THREADS = 256
BLOCKS = 1056  # eight an SM on 132 SMs
STEPS = 32  # reads of one round, 32 words apart
ROUNDS = 32  # each starts 32 words further on
READS = STEPS * ROUNDS  # of a thread
WORDS = WARP * BANKS + BANKS * (STEPS + ROUNDS)


def request_wavefronts(size: Size) -> int:
    """Wavefronts of one request of the warp, by the model of the banks."""
    return wavefronts([4 * (lane // size["sharers"]) * size["stride"] for lane in range(WARP)])


def _tensors(size: Size) -> tuple[Tensor, ...]:
    return (Tensor("x", (WORDS,)), Tensor("y", (BLOCKS, THREADS), is_output=True))


def _draw(xp: Any, size: Size, seed: int) -> Mapping[str, Any]:  # noqa: ANN401
    """Small whole numbers: no sum overflows, so every order of adding is exact."""
    return {"x": (xp.arange(WORDS, dtype=xp.int64) * 40_503 + seed) // 16 % 1000}


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    words = xp.arange(THREADS) % WARP // size["sharers"] * size["stride"]
    rounds, steps = xp.arange(ROUNDS)[:, None, None], xp.arange(STEPS)[None, :, None]
    read = inputs["x"][words + BANKS * (rounds + steps)]
    total = read.sum(axis=(0, 1), dtype=xp.int64)
    return {"y": xp.tile(total, (BLOCKS, 1))}


def _title(size: Size) -> str:
    shared = f", {size['sharers']} lanes a word" if size["sharers"] > 1 else ""
    return f"stride {size['stride']}{shared}"


PROBLEM = Problem(
    name="bank_conflict",
    title="Bank conflicts",
    question="What do lanes that meet in one bank of shared memory cost?",
    size_parameters=(
        SizeParameter("stride", "Words from one address to the next", 1, LARGEST_STRIDE, 1),
        SizeParameter("sharers", "Neighbouring lanes that read the same word", 1, WARP, 1),
    ),
    dtypes=(Dtype.INT32,),
    tensors=_tensors,
    scalars=lambda size: (size["stride"], size["sharers"]),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=_title,
    reference_description="exact sums of the same words",
    kind=ProblemKind.EXPERIMENT,
    draw=_draw,
    suite_sizes=(
        *(Size.of(stride=stride, sharers=1) for stride in range(1, LARGEST_STRIDE + 1)),
        *(Size.of(stride=32, sharers=sharers) for sharers in (2, 4, 8, 16, 32)),
        Size.of(stride=1, sharers=16),
    ),
    check_sizes=(
        Size.of(stride=1, sharers=1),
        Size.of(stride=33, sharers=1),
        Size.of(stride=32, sharers=16),
        Size.of(stride=5, sharers=3),
    ),
    caches=(CacheState.WARM,),
)
