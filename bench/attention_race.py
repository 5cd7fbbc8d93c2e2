"""The attention variants that `bench.attention_variants` times beside the mma.sync rung."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.kernels.attention.problem import AWKWARD_SIZES
from bench.race import Race

LADDER = {stage.name: stage for stage in registry.stages("attention", BackendName.CUDA)}

RACE = Race(
    problem="attention",
    dtype=Dtype.FLOAT16,
    library=LADDER["tensor_core"],  # no library has a line for it: the ladder's own rung stands there
    variants=tuple(reversed(LADDER.values())),
    checked=AWKWARD_SIZES,
    timed=(
        Size.of(heads=16, length=4096, head_dim=128),
        Size.of(heads=16, length=4096, head_dim=64),
    ),
    block_s=0.03,
)
