"""Rows of C from 30 tiles to 36, and one row before and behind each edge of a tile."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.matmul.problem import PROBLEM as MATMUL
from app.kernels.problem import Problem, SizeParameter

TILE, FIRST_ROWS, LAST_ROWS, STEP = 128, 3840, 4608, 32
# 32 tiles across: 33 tiles down are exactly eight waves on 132 multiprocessors. k is short to keep it brief.
N, K = 4096, 512


def _rows() -> tuple[int, ...]:
    steps = range(FIRST_ROWS, LAST_ROWS + 1, STEP)
    edges = range(FIRST_ROWS, LAST_ROWS + 1, TILE)
    return tuple(sorted({*steps, *(edge + 1 for edge in edges), *(edge - 1 for edge in edges)}))


PROBLEM = Problem(
    name="tile_quantisation",
    title="Tile and wave quantisation",
    question="What do one more row, one more tile and one more wave cost?",
    size_parameters=(
        SizeParameter("m", "Rows of C", 1, 65_536, 4096),
        SizeParameter("n", "Columns of C", TILE, 65_536, N),
        SizeParameter("k", "Terms of each sum", 16, 65_536, K),
    ),
    dtypes=(Dtype.FLOAT32,),
    tensors=MATMUL.tensors,
    scalars=MATMUL.scalars,
    reference=MATMUL.reference,
    tolerance=MATMUL.tolerance,
    size_title=MATMUL.size_title,
    reference_description=MATMUL.reference_description,
    kind=ProblemKind.QUANTISATION,
    suite_sizes=tuple(Size.of(m=m, n=N, k=K) for m in _rows()),
    check_sizes=tuple(
        Size.of(m=m, n=n, k=k)
        for m, n, k in ((1, 128, 16), (127, 128, 32), (129, 256, 48), (300, 128, 64), (128, 128, 512))
    ),
    caches=(CacheState.WARM,),
)
