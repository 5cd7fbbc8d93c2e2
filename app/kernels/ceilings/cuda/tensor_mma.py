"""CUDA roofs of the tensor pipe by mma.sync from registers, for devices without WGMMA."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import BackendName, Dtype, ReuseLevel
from app.kernels.ceilings.operands import OPERANDS, Operand
from app.kernels.ceilings.tensor_peak import CEILING_SIZE, THREADS, BlockWork, cost_of, launch
from app.kernels.stage import Needs, Stage

ROWS, COLUMNS = 16, 8
FRAGMENTS = 4  # of A and of B in a warp
ROUNDS = 511
INSTRUCTIONS = ROUNDS * FRAGMENTS**2 * (THREADS // 32)
_FIRST_WITH = {8: (8, 9)}  # by bits of an operand; the others came with 8.0


def _stage(operand: Operand) -> Stage:
    return Stage(
        name=f"mma_{operand.name}",
        title=f"mma.sync m{ROWS}n{COLUMNS}k{operand.depth} {operand.title}",
        mechanism="mma.sync on fragments that stay in registers",
        change="A compute roof of the tensor pipe",
        backend=BackendName.CUDA,
        improves_on=None,
        arithmetic=operand.arithmetic,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=ReuseLevel.REGISTERS,
        source=Path(__file__).with_suffix(".cu"),
        entry="tensor_mma",
        cost=cost_of(BlockWork(INSTRUCTIONS, ROWS, COLUMNS, operand.depth)),
        launch=launch,
        needs=Needs(compute_capability=_FIRST_WITH.get(operand.bits, (8, 0))),
        compile_options=(f"-D{operand.title}",),
        ceiling_size=lambda last_level_cache_bytes: CEILING_SIZE,
    )


STAGES = tuple(_stage(operand) for operand in OPERANDS)
