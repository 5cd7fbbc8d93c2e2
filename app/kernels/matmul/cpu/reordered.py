"""CPU rung: the loops in the order i, k, j."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.cost import WHOLE, tiled_cost
from app.kernels.stage import Stage

STAGE = Stage(
    name="reordered",
    title="Reordered loops",
    mechanism="Loops i-k-j: rows of B and C in order",
    change="The inner loop runs along a row, so it vectorises and every cache line is used whole",
    backend=BackendName.CPU,
    improves_on="naive",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_name("reordered_kernel.py"),
    entry="run",
    # One element of A serves a whole row; each multiply-add reads B and reads and writes C.
    cost=tiled_cost({Level.DRAM: (1, WHOLE)}, {Level.DRAM: 1}),
    uses_numba=True,
)
