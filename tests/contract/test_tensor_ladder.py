"""The tensor ladder's declarations agree with their sources; no GPU."""

from __future__ import annotations

import re

import pytest

from app.backends import nvrtc
from app.domain.size import Size
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.stage import Stage
from app.kernels.tensor_matmul.cuda import mma_sync, wgmma, wmma_shared
from app.kernels.tensor_matmul.cuda.precisions import PRECISIONS

OWN = [
    s for s in registry.stages("tensor_matmul", BackendName.CUDA) if s.entry not in ("", "split_k", "row_dot")
]
HOPPER = [s for s in OWN if s.entry == "wgmma"]
H200_SHARED_BYTES = 232_448
SIZES = [
    Size.of(m=m, n=n, k=k) for m, n, k in ((1, 8, 8), (129, 264, 72), (4096, 4096, 4096), (8192, 520, 64))
]


def constant(stage: Stage, name: str) -> int:
    """The value that the compiler sees: the stage's own, else the source's."""
    for option in stage.compile_options:
        if option.startswith(f"-D{name}="):
            return int(option.partition("=")[2])
    found = re.search(rf"\b{name}(?: =)? (\d+)", stage.source.read_text(encoding="utf-8"))
    assert found is not None, f"{stage.source.name} has no constant {name}"
    return int(found.group(1))


def test_both_types_have_the_same_rungs_from_the_same_sources() -> None:
    fp16, bf16 = (
        {s.name.removesuffix(suffix): s.source for s in OWN if s.name.endswith(suffix)}
        for suffix in ("_fp16", "_bf16")
    )
    assert fp16 == bf16
    assert len(fp16) == 9
    assert all(s.name.rpartition("_")[2] == (s.improves_on or s.name).rpartition("_")[2] for s in OWN)


@pytest.mark.parametrize("stage", HOPPER, ids=lambda s: s.name)
def test_wgmma_is_not_made_to_wait_by_the_compiler(stage: Stage) -> None:
    source = stage.source.read_text(encoding="utf-8")
    log = nvrtc.compile_cubin(source, stage.entry, "sm_90a", stage.compile_options).report.log
    assert "C75" not in log, log


@pytest.mark.parametrize("stage", HOPPER, ids=lambda s: s.name)
def test_boxes_and_shared_memory_of_the_hopper_rungs_are_those_of_the_source(stage: Stage) -> None:
    rows, columns, depth = (constant(stage, name) for name in ("BM", "BN", "BK"))
    cluster, slots = constant(stage, "CLUSTER"), constant(stage, "SLOTS")
    boxes = {tensor_map.tensor: tensor_map.box for tensor_map in stage.tensor_maps}
    assert (boxes["A"], boxes["B"]) == ((rows, depth), (columns // cluster, depth))
    results = 8 * constant(stage, "PIECES") * 16 * 64 * 2 if constant(stage, "TMA_STORE") else 0
    assert ("C" in boxes) == bool(results)
    for size in SIZES:
        launch = stage.launch and stage.launch(size)
        assert launch is not None
        assert launch.dynamic_shared_bytes == slots * (rows + columns) * depth * 2 + results + 1024
        assert launch.dynamic_shared_bytes + 16 * slots <= H200_SHARED_BYTES
        assert launch.grid[0] % cluster == 0
        tiles = -(-size["m"] // (rows * cluster)) * -(-size["n"] // columns) * cluster
        assert launch.grid[0] == (min(tiles, 128) if constant(stage, "PERSISTENT") else tiles)


@pytest.mark.parametrize("size", SIZES)
def test_tiles_of_the_portable_rungs_cover_the_result_once(size: Size) -> None:
    for stage in OWN:
        if stage.entry == "mma_sync":
            tile = constant(stage, "BM"), constant(stage, "BN")
            assert tile == (mma_sync.Cut().rows, mma_sync.Cut().columns)
        elif stage.entry == "wmma_shared":
            tile = constant(stage, "BM"), constant(stage, "BN")
            assert tile == (wmma_shared.TILE, wmma_shared.TILE)
        else:
            continue
        grid = stage.launch(size).grid if stage.launch else (0, 0, 0)
        assert grid[0] * grid[1] == -(-size["m"] // tile[0]) * -(-size["n"] // tile[1])


def test_rows_that_cannot_be_copied_by_16_bytes_are_refused_with_the_number() -> None:
    for stage in OWN:
        reason = stage.why_not(Size.of(m=7, n=9, k=12)) if stage.why_not else None
        assert (reason is None) == stage.entry.startswith("wmma")
        if reason is not None:
            assert "k = 12" in reason
            assert ("n = 9" in reason) == (stage.entry == "wgmma")
            assert stage.why_not is not None
            assert stage.why_not(Size.of(m=7, n=8, k=24)) is None


def test_clusters_ask_the_cache_for_a_third_less() -> None:
    alone, cluster = (
        wgmma.stage(next(r for r in wgmma.RUNGS if r.name == name), PRECISIONS[0])
        for name in ("wgmma_persistent", "wgmma_cluster")
    )
    size = Size.of(m=4096, n=4096, k=4096)
    moved = [s.cost(size, s.dtypes[0]).bytes_by_level for s in (cluster, alone)]
    dram = [by_level[next(iter(by_level))] for by_level in moved]
    assert dram[0] / dram[1] == pytest.approx(2 / 3)
