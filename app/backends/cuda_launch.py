"""Binds a kernel's arguments once, so that a launch passes them and does nothing else. Imports CuPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import cupy
import numpy as np

from app.backends.tensor_map import encoded
from app.backends.workspace import Workspace
from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.problem import Problem
from app.kernels.stage import Stage

_STATIC_SHARED_LIMIT = 48 << 10
_MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_WORD_BYTES = 4


def bound_launch(
    function: Any,  # noqa: ANN401 - a CuPy function
    stage: Stage,
    problem: Problem,
    size: Size,
    dtype: Dtype,
    workspace: Workspace,
) -> Callable[[], None]:
    """A call that queues the stage's launch, or its series of launches, on the current stream.

    The arguments are the tensors, the scratch, the scalars, a series' index and the tensor maps. The scratch
    lives as long as the call does. Raises StageFailure where a tensor map cannot be made.
    """
    launch = stage.launch(size) if stage.launch else None
    if launch is None:
        raise ValueError(f"{stage.name} has no launch")
    if launch.dynamic_shared_bytes > _STATIC_SHARED_LIMIT:
        cupy.cuda.driver.funcSetAttribute(function.ptr, _MAX_DYNAMIC_SHARED, launch.dynamic_shared_bytes)
    before = (*workspace.arrays.values(), *_scratch(stage, size))
    maps = tuple(_tensor_maps(stage, problem, size, dtype, workspace))
    scalars = problem.scalars(size)
    series = [
        (*before, *(np.int32(s) for s in (*scalars, *further)), *maps) for further in launch.further_scalars
    ]
    grid, block, shared = launch.grid, launch.block, launch.dynamic_shared_bytes

    def bound() -> None:
        for arguments in series:
            function(grid, block, arguments, shared)

    return bound


def _scratch(stage: Stage, size: Size) -> Iterator[Any]:
    if stage.scratch_bytes is not None:
        yield cupy.zeros(max(1, -(-stage.scratch_bytes(size) // _WORD_BYTES)), np.uint32)


def _tensor_maps(
    stage: Stage, problem: Problem, size: Size, dtype: Dtype, workspace: Workspace
) -> Iterator[Any]:
    tensors = {tensor.name: tensor for tensor in problem.tensors(size)}
    for wanted in stage.tensor_maps:
        tensor = tensors[wanted.tensor]
        address = workspace.arrays[wanted.tensor].data.ptr
        yield encoded(wanted, address, tensor.shape, tensor.dtype or dtype)
