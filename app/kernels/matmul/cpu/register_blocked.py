"""CPU rung: a vectorised kernel that keeps a tile of A in registers."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.cost import WHOLE, tiled_cost
from app.kernels.stage import Stage

ROWS, COLUMNS, DEPTH, DEPTH_IN_REGISTERS = 4, 64, 64, 4

STAGE = Stage(
    name="register_blocked",
    title="Register blocking",
    mechanism="4×4 elements of A in registers, vectors along rows",
    change="Each vector of B loaded serves four rows, each vector of C takes four terms",
    backend=BackendName.CPU,
    improves_on="cache_blocked",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_name("register_blocked_kernel.py"),
    entry="run",
    cost=tiled_cost(
        {Level.DRAM: (WHOLE, COLUMNS), Level.L1: (ROWS, COLUMNS)},
        {Level.DRAM: DEPTH, Level.L1: DEPTH_IN_REGISTERS},
    ),
    uses_numba=True,
)
