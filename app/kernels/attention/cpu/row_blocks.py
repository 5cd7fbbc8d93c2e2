"""CPU rung: scores that stay in the cache."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.attention.cost import Passes, fused_cost
from app.kernels.stage import Stage

ROWS = 64

STAGE = Stage(
    name="row_blocks",
    title="Blocks of queries",
    mechanism="64 queries at a time, scores in cache",
    change="Scores of 64 queries are used before they leave the cache; softmax works in place",
    backend=BackendName.CPU,
    improves_on="materialised",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT16,),
    reuse_level=ReuseLevel.CACHE,
    source=Path(__file__).with_name("row_blocks_kernel.py"),
    entry="run",
    cost=fused_cost({Level.DRAM: Passes(rows=ROWS)}),
)
