"""CPU rung: the lecture lab's tiles, written with NumPy slices."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Stage

TILE = 64

STAGE = Stage(
    name="numpy_tiles",
    title="NumPy tiles",
    mechanism="64×64 tiles multiplied and added by NumPy",
    change="Tiles that stay in cache; the product of two tiles is left to NumPy",
    backend=BackendName.CPU,
    improves_on="naive",
    arithmetic=Arithmetic.FP32,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.CACHE,
    source=Path(__file__).with_name("numpy_tiles_kernel.py"),
    entry="run",
    cost=tiled_cost({Level.DRAM: (TILE, TILE)}, {Level.DRAM: TILE}),
)
