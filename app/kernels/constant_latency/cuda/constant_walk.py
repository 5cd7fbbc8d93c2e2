"""The walk through constant memory."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.constant_latency.problem import CHAIN
from app.kernels.latency.chain import not_a_power_of_two
from app.kernels.stage import Launch, Stage

THREADS = 32

STAGE = Stage(
    name="constant_walk",
    title="Walk in constant memory",
    mechanism="One warp follows a chain, all lanes together",
    change="Each load gives the address of the next",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.NONE,
    dtypes=(Dtype.INT32,),
    reuse_level=ReuseLevel.CACHE,
    source=Path(__file__).with_suffix(".cu"),
    entry="constant_walk",
    cost=lambda size, dtype: CHAIN.cost(size, Level.L1),
    launch=lambda size: Launch(grid=(1, 1, 1), block=(THREADS, 1, 1)),
    why_not=not_a_power_of_two,
)
