"""CUDA rung: online softmax between two products on the tensor pipe."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less, more
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.attention.cost import Passes, fused_cost, why_not_head_dim
from app.kernels.stage import Launch, Needs, Stage

ROWS, KEYS, WARPS = 128, 64, 4
ROWS_OF_A_WARP = ROWS // WARPS


def _shared_bytes(head_dim: int) -> int:
    return (ROWS + 2 * KEYS) * head_dim * Dtype.FLOAT16.item_bytes


def _launch(size: Size) -> Launch:
    return Launch(
        grid=(-(-size["length"] // ROWS), size["heads"], 1),
        block=(32 * WARPS, 1, 1),
        dynamic_shared_bytes=_shared_bytes(size["head_dim"]),
    )


STAGE = Stage(
    name="tensor_core",
    title="Tensor cores",
    mechanism="mma.sync, scores become the operand in registers",
    change="Both products on the tensor pipe; weights are rounded to halves and never leave the registers",
    backend=BackendName.CUDA,
    improves_on="online_softmax",
    arithmetic=Arithmetic.TENSOR_FP16_FP32ACC,
    dtypes=(Dtype.FLOAT16,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="tensor_core",
    cost=fused_cost(
        {
            Level.DRAM: Passes(rows=ROWS),
            Level.SHARED: Passes(rows=ROWS_OF_A_WARP, keys_per_query_read=KEYS),
        }
    ),
    launch=_launch,
    needs=Needs(compute_capability=(8, 0), shared_bytes_per_block=_shared_bytes(128)),
    why_not=why_not_head_dim,
    promises=(more(Counted.TENSOR_INSTRUCTIONS), less(Counted.INSTRUCTIONS), less(Counted.SHARED_WAVEFRONTS)),
)
