"""All SMs read a working set over and over, 4 GiB in all a launch, and add up what they read.

Thread t of THREADS reads quads (16 bytes) t, t + THREADS, ... of the set, then again from t, STEPS quads in
all. It always reads the same ones, so an SM needs only its own part of the set in its L1 cache. Launches
follow each other without flushing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

KIB = 1024
THREADS_PER_BLOCK = 256
BLOCKS = 512  # 3.9 an SM on 132 SMs, all resident at once
THREADS = BLOCKS * THREADS_PER_BLOCK
QUAD_BYTES = 16
STEPS = 2048
READ_BYTES = STEPS * THREADS * QUAD_BYTES
SMALLEST_KIB = THREADS * QUAD_BYTES // KIB
LARGEST_KIB = READ_BYTES // KIB
WORDS_PER_ROW = KIB // 4


def quads(size: Size) -> int:
    """Elements of 16 bytes in the set."""
    return size["kib"] * KIB // QUAD_BYTES


def _tensors(size: Size) -> tuple[Tensor, ...]:
    return (
        Tensor("x", (size["kib"], WORDS_PER_ROW)),
        Tensor("sums", (BLOCKS, THREADS_PER_BLOCK), is_output=True),
    )


def _draw(xp: Any, size: Size, seed: int) -> Mapping[str, Any]:  # noqa: ANN401
    """Whole numbers 0 to 7, so that no sum overflows; bytes, since a set may be gigabytes."""
    rows = (xp.arange(size["kib"], dtype=xp.int64) * 2_654_435_761 + seed) // 65_536 % 8
    columns = (xp.arange(WORDS_PER_ROW, dtype=xp.int64) * 40_503 + seed) // 64 % 8
    return {"x": rows.astype(xp.uint8)[:, None] ^ columns.astype(xp.uint8)[None, :]}


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    by_quad = inputs["x"].reshape(-1, 4)
    once = xp.zeros(THREADS, xp.int64)
    for first in range(0, quads(size), THREADS):
        once += by_quad[first : first + THREADS].sum(axis=1, dtype=xp.int64)
    passes = STEPS * THREADS // quads(size)
    return {"sums": (once * passes).reshape(BLOCKS, THREADS_PER_BLOCK)}


PROBLEM = Problem(
    name="read_bandwidth",
    title="Read bandwidth",
    question="How many bytes a second does each level of memory deliver?",
    size_parameters=(SizeParameter("kib", "Working set in KiB", SMALLEST_KIB, LARGEST_KIB, SMALLEST_KIB),),
    dtypes=(Dtype.INT32,),
    tensors=_tensors,
    scalars=lambda size: (quads(size),),
    reference=_reference,
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['kib'] // KIB} MiB",
    reference_description="exact sums of the same words",
    kind=ProblemKind.HIERARCHY,
    draw=_draw,
    suite_sizes=tuple(Size.of(kib=mib * KIB) for mib in (2, 4, 8, 16, 32, 64, 128, 512, 4096)),
    check_sizes=(Size.of(kib=SMALLEST_KIB), Size.of(kib=4 * SMALLEST_KIB)),
    caches=(CacheState.WARM,),
)
