"""Reads from shared memory."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.read_bandwidth.cost import launch, not_a_power_of_two, read_cost
from app.kernels.read_bandwidth.problem import KIB, SMALLEST_KIB
from app.kernels.stage import Stage

ROWS = 8
LARGEST_KIB = ROWS * SMALLEST_KIB


def _why_not(size: Size) -> str | None:
    if size["kib"] > LARGEST_KIB:
        return (
            f"{size['kib'] // KIB} MiB are more than the blocks hold in shared memory together: "
            f"this stage is measured up to {LARGEST_KIB // KIB} MiB."
        )
    return not_a_power_of_two(size)


STAGE = Stage(
    name="shared_memory",
    title="Shared memory",
    mechanism="16-byte loads from shared memory",
    change="The set is copied to shared memory once and read there",
    backend=BackendName.CUDA,
    improves_on="through_l1",
    arithmetic=Arithmetic.NONE,
    dtypes=(Dtype.INT32,),
    reuse_level=ReuseLevel.SHARED,
    source=Path(__file__).with_suffix(".cu"),
    entry="shared_memory",
    cost=read_cost(Level.SHARED),
    launch=launch,
    why_not=_why_not,
)
