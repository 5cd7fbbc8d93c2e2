"""CPU rung: the textbook triple loop."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Stage

LARGEST_MULTIPLY_ADDS = 512**3


def _too_large(size: Size) -> str | None:
    if size["m"] * size["n"] * size["k"] <= LARGEST_MULTIPLY_ADDS:
        return None
    return "The triple loop is measured up to 512³ multiply-adds; one sample here would take many seconds."


STAGE = Stage(
    name="naive",
    title="Naive triple loop",
    mechanism="One scalar sum per element, B walked down columns",
    change="The starting point",
    backend=BackendName.CPU,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_name("naive_kernel.py"),
    entry="run",
    cost=tiled_cost({Level.DRAM: (1, 1)}),
    uses_numba=True,
    why_not=_too_large,
)
