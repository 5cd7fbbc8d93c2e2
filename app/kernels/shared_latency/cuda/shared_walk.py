"""The walk through shared memory."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.latency.chain import not_a_power_of_two
from app.kernels.shared_latency.problem import CHAIN
from app.kernels.stage import Launch, Stage

THREADS = 1024

STAGE = Stage(
    name="shared_walk",
    title="Walk in shared memory",
    mechanism="One thread follows a chain, line by line",
    change="Each load gives the address of the next",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.NONE,
    dtypes=(Dtype.INT32,),
    reuse_level=ReuseLevel.SHARED,
    source=Path(__file__).with_suffix(".cu"),
    entry="shared_walk",
    cost=lambda size, dtype: CHAIN.cost(size, Level.SHARED),
    launch=lambda size: Launch(grid=(1, 1, 1), block=(THREADS, 1, 1)),
    why_not=not_a_power_of_two,
)
