"""CPU rung: the formula as it stands."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.attention.cost import materialised_cost
from app.kernels.stage import Stage

WHOLE = 2**31  # operands pass once: BLAS blocks for the caches, and how is not ours to state

STAGE = Stage(
    name="materialised",
    title="Materialised scores",
    mechanism="Scores of a head in memory, then softmax",
    change="The formula as NumPy writes it: two BLAS products and length × length scores between them",
    backend=BackendName.CPU,
    improves_on=None,
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT16,),
    reuse_level=ReuseLevel.LIBRARY,
    source=Path(__file__).with_name("materialised_kernel.py"),
    entry="run",
    cost=materialised_cost(WHOLE),
)
