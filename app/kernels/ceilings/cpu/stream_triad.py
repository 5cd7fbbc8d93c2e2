"""CPU roof: bandwidth of the STREAM triad over all cores."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Stage

SMALLEST_N = 2**24
LARGEST_N = 2**26


def _cost(size: Size, dtype: Dtype) -> Cost:
    """Two reads and one write an element, counted as STREAM does: without the write-allocate read."""
    moved = 3 * size["n"] * dtype.item_bytes
    return Cost(2 * size["n"], moved, {Level.DRAM: moved})


def _size(last_level_cache_bytes: int) -> Size:
    """Each array at least four times the last-level cache, as STREAM asks, up to 256 MiB an array."""
    return Size.of(n=min(max(SMALLEST_N, last_level_cache_bytes), LARGEST_N))


STAGE = Stage(
    name="stream_triad",
    title="STREAM triad",
    mechanism="x + s·y over arrays far beyond cache",
    change="The bandwidth roof",
    backend=BackendName.CPU,
    improves_on=None,
    arithmetic=Arithmetic.NONE,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.NONE,
    source=Path(__file__).with_name("stream_triad_kernel.py"),
    entry="run",
    cost=_cost,
    uses_numba=True,
    ceiling_size=_size,
)
