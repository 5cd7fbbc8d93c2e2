"""Reads through the L1 cache and past it, one source."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.read_bandwidth.cost import launch, not_a_power_of_two, read_cost
from app.kernels.stage import Stage

_THROUGH_L1 = Stage(
    name="through_l1",
    title="Through L1",
    mechanism="16-byte loads that the L1 cache may answer",
    change="Each SM reads its own part of the set again and again",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.NONE,
    dtypes=(Dtype.INT32,),
    reuse_level=ReuseLevel.CACHE,
    source=Path(__file__).with_suffix(".cu"),
    entry="grid_read",
    cost=read_cost(Level.L1),
    launch=launch,
    why_not=not_a_power_of_two,
)

STAGES = (
    _THROUGH_L1,
    replace(
        _THROUGH_L1,
        name="past_l1",
        title="Past L1",
        mechanism="16-byte loads that go to the L2 cache",
        change="No load is answered by the L1 cache",
        improves_on="through_l1",
        compile_options=("-DPAST_L1",),
        cost=read_cost(Level.L2),
    ),
)
