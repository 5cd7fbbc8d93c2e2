"""CUDA library line: the driver's device-to-device copy.

There is no kernel source: the backend calls `cudaMemcpyAsync` on the same arrays.
"""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.copy.cost import copy_cost
from app.kernels.stage import Stage

STAGE = Stage(
    name="memcpy",
    title="cudaMemcpy",
    mechanism="cudaMemcpyAsync, device to device",
    change="The driver's own copy",
    backend=BackendName.CUDA,
    improves_on=None,
    arithmetic=Arithmetic.NONE,
    dtypes=(Dtype.FLOAT32,),
    reuse_level=ReuseLevel.LIBRARY,
    source=Path(__file__),
    entry="",
    cost=copy_cost,
    reference=True,
)
