"""The FP32 variants that `bench.gemm_variants` races against `cublasSgemm`."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from bench.race import Race

LADDER = {stage.name: stage for stage in registry.stages("matmul", BackendName.CUDA)}


def size(m: int, n: int, k: int) -> Size:
    return Size.of(m=m, n=n, k=k)


# One row, one group of columns, 1 to 10 tiles of the sum, edges on every side, more tiles than SMs.
CHECKED = (
    size(1, 4, 4),
    size(1, 1, 1),
    size(1, 516, 100),
    size(300, 4, 64),
    size(257, 132, 36),
    size(129, 127, 31),
    *(size(256, 256, 32 * tiles) for tiles in range(1, 11)),
    size(3080, 1668, 96),
    size(4097, 516, 132),
    size(2048, 1152, 1000),
)

SHOWN = ("register_tile_1d", "warp_tile", "cp_async", "pipeline", "register_banks", "hopper_streamk")

RACE = Race(
    problem="matmul",
    dtype=Dtype.FLOAT32,
    library=LADDER["cublas"],
    variants=tuple(LADDER[name] for name in SHOWN if name in LADDER),
    checked=CHECKED,
    timed=(size(4096, 4096, 4096), size(8192, 8192, 8192)),
)
