"""The pair: one source, with and without a cap on its registers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.register_cap.problem import STEPS, TRANSFORMS, VALUES
from app.kernels.stage import Cost, Launch, Stage

THREADS = 128
CAP = 32  # registers a thread: half of what its values alone need


def _cost(size: Size, dtype: Dtype) -> Cost:
    """An addition a value and step, and a division by 8 a value and transform."""
    moved = 2 * VALUES * size["n"] * dtype.item_bytes
    flop = TRANSFORMS * (STEPS + 1) * VALUES * size["n"]
    return Cost(flop, moved, {Level.DRAM: moved, Level.L2: moved})


def _launch(size: Size) -> Launch:
    return Launch(grid=(-(-size["n"] // THREADS), 1, 1), block=(THREADS, 1, 1))


_CAPPED = Stage(
    name="capped",
    title="At most 32 registers",
    mechanism="64 live values a thread in 32 registers",
    change="The compiler may use 32 registers; the rest is spilled to local memory",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.CACHE,
    source=Path(__file__).with_suffix(".cu"),
    entry="hadamard",
    compile_options=(f"--maxrregcount={CAP}",),
    cost=_cost,
    launch=_launch,
    raises=("register_spills",),
    spills=True,
)
STAGES = (
    _CAPPED,
    replace(
        _CAPPED,
        name="free",
        title="Registers as needed",
        mechanism="64 live values a thread, all in registers",
        change="No cap: fewer threads an SM, and nothing is spilled",
        improves_on="capped",
        raises=(),
        resolves=("register_spills",),
        reuse_level=ReuseLevel.REGISTERS,
        compile_options=(),
        spills=False,
    ),
)
