"""The lab's matrix product: tiles [TILE][TILE + 1] of A and B in shared memory, TILE 8, 16 and 32."""

from __future__ import annotations

from dataclasses import replace

from app.domain.size import Size
from app.domain.vocabulary import CacheState, ProblemKind
from app.kernels.matmul.problem import PROBLEM as MATMUL

PROBLEM = replace(
    MATMUL,
    name="padded_tile",
    title="Padded tile",
    question="Which tile is best, and does its padding matter?",
    kind=ProblemKind.EXPERIMENT,
    suite_sizes=(Size.of(m=1024, n=1024, k=1024),),
    check_sizes=(Size.of(m=64, n=64, k=64), Size.of(m=33, n=17, k=65), Size.of(m=1, n=1, k=1)),
    caches=(CacheState.COLD,),
)
