"""What the upper rungs of the matmul ladder say of the sizes they take."""

from __future__ import annotations

import pytest

from app.domain.size import Size
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.stage import Stage

CUDA = registry.stages("matmul", BackendName.CUDA)
WITH_MAPS = [pytest.param(stage, id=stage.name) for stage in CUDA if stage.tensor_maps]


@pytest.mark.parametrize("stage", WITH_MAPS)
def test_rows_that_the_copy_engine_cannot_read_are_refused_by_name(stage: Stage) -> None:
    assert stage.why_not is not None
    assert stage.why_not(Size.of(m=1, n=4, k=4)) is None
    reason = stage.why_not(Size.of(m=8, n=514, k=4097))
    assert reason is not None
    assert "multiples of 4" in reason
    assert "n = 514 and k = 4097" in reason
    assert "n =" not in (stage.why_not(Size.of(m=8, n=512, k=31)) or "")


@pytest.mark.parametrize("stage", WITH_MAPS)
def test_shared_memory_holds_the_ring_and_fits_a_block(stage: Stage) -> None:
    assert stage.launch is not None
    launch = stage.launch(Size.of(m=4096, n=4096, k=4096))
    tile_bytes = sum(4 * rows * columns for rows, columns in (m.box for m in stage.tensor_maps))
    assert 2 * tile_bytes <= launch.dynamic_shared_bytes <= 227 * 1024


def test_one_block_a_tile_at_every_edge() -> None:
    stage = registry.stage("matmul", BackendName.CUDA, "hopper")
    assert stage.launch is not None
    for m, n, tiles in ((1, 4, 1), (256, 128, 1), (257, 132, 4), (4096, 4096, 512)):
        assert stage.launch(Size.of(m=m, n=n, k=4)).grid == (tiles, 1, 1)


def test_scratch_memory_is_asked_for_only_where_tiles_are_cut() -> None:
    stage = registry.stage("matmul", BackendName.CUDA, "hopper_streamk")
    assert stage.scratch_bytes is not None
    assert stage.launch is not None
    two_sets_a_block = 2 * 132 * 256 * 128 * 4
    for m, n, cut in ((4096, 4096, True), (2048, 2048, False), (256 * 12, 128 * 11, False)):
        size = Size.of(m=m, n=n, k=4096)
        assert stage.scratch_bytes(size) == 1024 + (two_sets_a_block if cut else 0)
        assert stage.launch(size).grid[0] <= 132
