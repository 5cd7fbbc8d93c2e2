"""The split-K kernel of the matmul ladder with one slice and with a chosen number of slices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from app.domain.size import Size
from app.domain.vocabulary import Level
from app.kernels.matmul.cost import tiled_cost
from app.kernels.matmul.cuda.split_k import STAGE as SPLIT_K
from app.kernels.matmul.cuda.split_k import TILE
from app.kernels.split_break_even.problem import tiles_of_size
from app.kernels.splitting import COUNTER_BYTES, PARTIAL_BYTES
from app.kernels.stage import Launch, Stage

SlicesOfSize = Callable[[Size], int]


def _launch(slices_of: SlicesOfSize, size: Size) -> Launch:
    assert SPLIT_K.launch is not None
    declared = SPLIT_K.launch(size)
    return replace(declared, grid=(*declared.grid[:2], slices_of(size)))


def _scratch_bytes(slices_of: SlicesOfSize, size: Size) -> int:
    tiles = tiles_of_size(size)
    counters = -(-4 * tiles // COUNTER_BYTES) * COUNTER_BYTES
    return counters + tiles * slices_of(size) * TILE * TILE * PARTIAL_BYTES


def _stage(name: str, title: str, mechanism: str, change: str, slices_of: SlicesOfSize) -> Stage:
    return replace(
        SPLIT_K,
        name=name,
        title=title,
        mechanism=mechanism,
        change=change,
        improves_on=None if name == "plain" else "plain",
        cost=tiled_cost({Level.DRAM: (TILE, TILE)}),
        launch=partial(_launch, slices_of),
        scratch_bytes=partial(_scratch_bytes, slices_of),
        why_not=None,
        promises=(),
    )


STAGES = (
    _stage("plain", "One slice", "a block a tile, all of k", "The starting point", lambda size: 1),
    _stage(
        "sliced",
        "Slices of k",
        "several blocks a tile, last one adds",
        "The sum of a tile is shared out over as many blocks as the size says",
        lambda size: size["slices"],
    ),
)
