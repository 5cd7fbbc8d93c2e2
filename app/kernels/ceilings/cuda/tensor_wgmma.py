"""CUDA roofs of the tensor pipe on Hopper: WGMMA from shared memory, by element type."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import BackendName, Dtype, ReuseLevel
from app.kernels.ceilings.operands import OPERANDS, Operand
from app.kernels.ceilings.tensor_peak import CEILING_SIZE, BlockWork, cost_of, launch
from app.kernels.stage import Needs, Stage

ROWS, COLUMNS = 64, 256
ROUNDS = 64
STEPS = 4  # instructions for the depth of a tile
INSTRUCTIONS = STEPS * (2 * ROUNDS + 1)


def _stage(operand: Operand) -> Stage:
    return Stage(
        name=f"wgmma_{operand.name}",
        title=f"WGMMA m{ROWS}n{COLUMNS}k{operand.depth} {operand.title}",
        mechanism="WGMMA on tiles that stay in shared memory",
        change="A compute roof of the tensor pipe",
        backend=BackendName.CUDA,
        improves_on=None,
        arithmetic=operand.arithmetic,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=ReuseLevel.SHARED,
        source=Path(__file__).with_suffix(".cu"),
        entry="tensor_wgmma",
        cost=cost_of(BlockWork(INSTRUCTIONS, ROWS, COLUMNS, operand.depth)),
        launch=launch,
        needs=Needs(compute_capability=(9, 0), same_major=True),
        compile_options=(f"-D{operand.title}",),
        ceiling_size=lambda last_level_cache_bytes: CEILING_SIZE,
    )


STAGES = tuple(_stage(operand) for operand in OPERANDS)
