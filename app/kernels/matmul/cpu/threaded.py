"""CPU rung: the register-blocked kernel on every core."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.cost import tiled_cost
from app.kernels.matmul.cpu.register_blocked import COLUMNS, DEPTH, DEPTH_IN_REGISTERS, ROWS
from app.kernels.stage import Stage

BLOCK_ROWS = 128

STAGE = Stage(
    name="threaded",
    title="Threads",
    mechanism="Register-blocked panels shared out over all cores",
    change="Every core works on rows of its own",
    backend=BackendName.CPU,
    improves_on="register_blocked",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_name("threaded_kernel.py"),
    entry="run",
    cost=tiled_cost(
        {Level.DRAM: (BLOCK_ROWS, COLUMNS), Level.L1: (ROWS, COLUMNS)},
        {Level.DRAM: DEPTH, Level.L1: DEPTH_IN_REGISTERS},
    ),
    uses_numba=True,
)
