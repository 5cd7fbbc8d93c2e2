"""The same matrix product at full occupancy and at a quarter of it."""

from __future__ import annotations

from dataclasses import replace

from app.domain.size import Size
from app.domain.vocabulary import CacheState, ProblemKind
from app.kernels.matmul.problem import PROBLEM as MATMUL

PROBLEM = replace(
    MATMUL,
    name="occupancy",
    title="Occupancy against work a thread",
    question="Is a full SM of small threads faster than a quarter of it with large ones?",
    kind=ProblemKind.EXPERIMENT,
    suite_sizes=(Size.of(m=2048, n=2048, k=2048),),
    check_sizes=(Size.of(m=128, n=128, k=128), Size.of(m=33, n=17, k=65)),
    caches=(CacheState.COLD,),
)
