"""CUDA rung of compute capability 9.0: a persistent grid that shares out the last two waves by terms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.domain.size import Size
from app.kernels.matmul.cuda.hopper import MATH_THREADS, THREAD_COLUMNS, THREAD_ROWS
from app.kernels.matmul.cuda.hopper import STAGE as HOPPER
from app.kernels.stage import Launch

BLOCKS = 132  # multiprocessors of an H100 or H200 SXM; with another number results are right, waves uneven
COUNTER_BYTES = 1024
SET_BYTES = 4 * THREAD_ROWS * THREAD_COLUMNS * MATH_THREADS  # the sums of one block


def _launch(size: Size) -> Launch:
    assert HOPPER.launch is not None
    tiled = HOPPER.launch(size)
    return replace(tiled, grid=(min(tiled.grid[0], BLOCKS), 1, 1))


def _scratch_bytes(size: Size) -> int:
    assert HOPPER.launch is not None
    tiles = HOPPER.launch(size).grid[0]
    are_shared = tiles > BLOCKS and tiles % BLOCKS
    return COUNTER_BYTES + (2 * BLOCKS * SET_BYTES if are_shared else 0)


STAGE = replace(
    HOPPER,
    name="hopper_streamk",
    title="Hopper, stream-K",
    mechanism="Last two waves shared out by terms",
    change="One block a multiprocessor, and the last two waves are cut by terms so that none idles",
    improves_on="register_banks",
    source=Path(__file__).with_suffix(".cu"),
    entry="hopper_streamk",
    launch=_launch,
    scratch_bytes=_scratch_bytes,
)
