"""CUDA rung for Hopper: copy engine and WGMMA, softmax beside the products of the next tile."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.attention.cost import Passes, fused_cost, why_not_head_dim
from app.kernels.stage import Launch, Needs, Stage, TensorMap

ROWS, KEYS, SLOTS, SLAB_COLUMNS = 128, 128, 2, 64
ROWS_OF_A_GROUP = ROWS // 2
ALIGNMENT_BYTES = 1024


def _shared_bytes(head_dim: int) -> int:
    """Queries, then SLOTS tiles of keys and of values, from a multiple of 1024 on."""
    tile = KEYS * head_dim * Dtype.FLOAT16.item_bytes
    return ALIGNMENT_BYTES + (1 + 2 * SLOTS) * tile


def _launch(size: Size) -> Launch:
    return Launch(
        grid=(-(-size["length"] // ROWS), size["heads"], 1),
        block=(384, 1, 1),
        dynamic_shared_bytes=_shared_bytes(size["head_dim"]),
    )


STAGE = Stage(
    name="wgmma",
    title="TMA and WGMMA",
    mechanism="copy engine, WGMMA, softmax beside the next products",
    change="Operands of the products come from shared memory without load instructions, and the tensor pipe "
    "works on the next tile while this one is weighed",
    backend=BackendName.CUDA,
    improves_on="tensor_core",
    arithmetic=Arithmetic.TENSOR_FP16_FP32ACC,
    dtypes=(Dtype.FLOAT16,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="wgmma",
    cost=fused_cost(
        {
            Level.DRAM: Passes(rows=ROWS),
            Level.SHARED: Passes(rows=ROWS_OF_A_GROUP, keys_per_query_read=KEYS),
        }
    ),
    launch=_launch,
    tensor_maps=tuple(TensorMap(name, (ROWS, SLAB_COLUMNS), swizzle_bytes=128) for name in "QKV"),
    needs=Needs(compute_capability=(9, 0), same_major=True, shared_bytes_per_block=_shared_bytes(128)),
    why_not=why_not_head_dim,
    promises=(less(Counted.INSTRUCTIONS),),
)
