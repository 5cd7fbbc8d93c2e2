"""CUDA rung: running maximum and sum, so that scores stay on the SM."""

from __future__ import annotations

from pathlib import Path

from app.domain.promise import Counted, less
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.attention.cost import (
    FLOAT32_BYTES,
    Passes,
    attention_flop,
    fused_cost,
    shared_operand_bytes,
    why_not_head_dim,
)
from app.kernels.stage import Cost, Launch, Needs, Stage

ROWS, KEYS, THREADS, PER_THREAD = 64, 64, 256, 4
PADDING = 4
THREADS_ALONG_A_ROW = 16
_AT_DRAM = fused_cost({Level.DRAM: Passes(rows=ROWS)})


def _shared_bytes(head_dim: int) -> int:
    return FLOAT32_BYTES * ((ROWS + KEYS) * (head_dim + PADDING) + ROWS * (KEYS + PADDING))


def _launch(size: Size) -> Launch:
    return Launch(
        grid=(-(-size["length"] // ROWS), size["heads"], 1),
        block=(THREADS, 1, 1),
        dynamic_shared_bytes=_shared_bytes(size["head_dim"]),
    )


def _cost(size: Size, dtype: Dtype) -> Cost:
    fused = _AT_DRAM(size, dtype)
    columns = max(1, size["head_dim"] // THREADS_ALONG_A_ROW)
    of_head = shared_operand_bytes(size["length"], size["head_dim"], PER_THREAD, columns)
    return Cost(
        attention_flop(size),
        fused.least_dram_bytes,
        {**fused.bytes_by_level, Level.SHARED: size["heads"] * of_head},
    )


STAGE = Stage(
    name="online_softmax",
    title="Online softmax",
    mechanism="Running maximum and sum, scores stay on the SM",
    change="One kernel: each tile of scores is weighed and used at once, earlier outputs are rescaled",
    backend=BackendName.CUDA,
    improves_on="materialised",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT16,),
    reuse_level=ReuseLevel.REGISTERS,
    source=Path(__file__).with_suffix(".cu"),
    entry="online_softmax",
    cost=_cost,
    launch=_launch,
    needs=Needs(shared_bytes_per_block=_shared_bytes(128)),
    why_not=why_not_head_dim,
    promises=(less(Counted.DRAM_BYTES), less(Counted.LAUNCHES, 1 / 3)),
)
