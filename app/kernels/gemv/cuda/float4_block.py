"""Matrix-vector products with 16-byte loads and a block a row."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.gemv.cost import gemv_cost
from app.kernels.movement import multiple_of
from app.kernels.stage import Launch, Stage

_BLOCK = Stage(
    name="float4_block",
    title="float4, a block a row",
    mechanism="a block a row, 16-byte loads",
    change="256 threads share a row: shorter blocks, a shorter tail",
    backend=BackendName.CUDA,
    improves_on="float4",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_suffix(".cu"),
    entry="float4_block",
    cost=gemv_cost,
    launch=lambda size: Launch(grid=(size["n"], 1, 1), block=(256, 1, 1)),
    why_not=multiple_of("k", 4),
)

STAGES = (
    _BLOCK,
    replace(
        _BLOCK,
        name="float4_deep",
        title="float4, eight deep",
        mechanism="a block a row, eight loads a thread",
        change="Half the threads and twice the loads under way in each: fewer warps to start and to add up",
        improves_on="float4_block",
        launch=lambda size: Launch(grid=(size["n"], 1, 1), block=(128, 1, 1)),
        compile_options=("-DTHREADS=128", "-DDEPTH=8"),
    ),
)
