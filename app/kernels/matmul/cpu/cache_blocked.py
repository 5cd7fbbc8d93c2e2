"""CPU rung: blocks of B that stay in the nearest caches."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Stage

ROWS, COLUMNS, DEPTH = 128, 512, 64

STAGE = Stage(
    name="cache_blocked",
    title="Cache blocking",
    mechanism="64×512 blocks of B reused for 128 rows",
    change="A block of B stays in cache while many rows of A pass over it",
    backend=BackendName.CPU,
    improves_on="reordered",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.CACHE,
    source=Path(__file__).with_name("cache_blocked_kernel.py"),
    entry="run",
    cost=tiled_cost({Level.DRAM: (ROWS, COLUMNS), Level.L1: (1, COLUMNS)}, {Level.DRAM: DEPTH, Level.L1: 1}),
    uses_numba=True,
)
