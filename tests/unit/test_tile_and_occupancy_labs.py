"""Block sizes, occupancy and padded tiles: what the declarations say against models and the compiler."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.bank_conflicts import ideal_wavefronts, wavefronts
from app.analysis.occupancy import SmLimits, occupancy, sm_limits
from app.backends import nvrtc
from app.domain.measurement import CompilerReport
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, Level
from app.kernels import registry
from app.kernels.stage import Stage


def report_of(stage: Stage) -> CompilerReport:
    source = stage.source.read_text(encoding="utf-8")
    return nvrtc.compile_cubin(source, stage.entry, "sm_90a", stage.compile_options).report


def limits_of_h200() -> SmLimits:
    known = sm_limits((9, 0))
    assert known is not None
    return known


@pytest.mark.parametrize("n", [1, 31, 1023, 1024, 1025, 2**31 - 1])
def test_blocks_of_every_size_cover_the_elements_once(n: int) -> None:
    for stage in registry.stages("block_size", BackendName.CUDA):
        assert stage.launch is not None
        launch = stage.launch(Size.of(n=n))
        assert (launch.grid[0] - 1) * launch.block[0] < n <= launch.grid[0] * launch.block[0]
        assert stage.name == f"threads_{launch.block[0]}"


def test_block_size_doubles_exactly() -> None:
    problem = registry.problem("block_size")
    x = np.array([1.5, -3.0], np.float32)
    assert problem.reference(np, {"x": x}, Size.of(n=2))["y"].tolist() == [3.0, -6.0]


@pytest.mark.parametrize(("name", "fraction"), [("full", 1.0), ("quarter", 0.25)])
def test_the_occupancy_pair_is_what_its_titles_say(name: str, fraction: float) -> None:
    stage = registry.stage("occupancy", BackendName.CUDA, name)
    assert stage.launch is not None
    x, y, _ = stage.launch(Size.of(m=2048, n=2048, k=2048)).block
    report = report_of(stage)
    found = occupancy(limits_of_h200(), x * y, report.registers, report.static_shared_bytes)
    assert found.fraction == fraction


def test_the_occupancy_pair_does_the_same_work() -> None:
    size = Size.of(m=100, n=200, k=300)
    full, quarter = (s.cost(size, Dtype.FLOAT32) for s in registry.stages("occupancy", BackendName.CUDA))
    assert (full.flop, full.least_dram_bytes) == (quarter.flop, quarter.least_dram_bytes)


@pytest.mark.parametrize(
    ("name", "edge", "shared_bytes"),
    [("padded_8", 8, 576), ("padded_16", 16, 2176), ("padded_32", 32, 8448), ("unpadded_16", 16, 2048)],
)
def test_tiles_take_the_shared_memory_of_the_lecture(name: str, edge: int, shared_bytes: int) -> None:
    stage = registry.stage("padded_tile", BackendName.CUDA, name)
    assert stage.launch is not None
    assert stage.launch(Size.of(m=33, n=17, k=65)).block == (edge, edge, 1)
    assert report_of(stage).static_shared_bytes == shared_bytes


def test_tile_32_keeps_full_occupancy_on_an_h200() -> None:
    report = report_of(registry.stage("padded_tile", BackendName.CUDA, "padded_32"))
    found = occupancy(limits_of_h200(), 1024, report.registers, report.static_shared_bytes)
    assert (found.blocks, found.fraction) == (2, 1.0)


def test_a_tile_divides_the_loads_by_its_edge() -> None:
    size = Size.of(m=1024, n=1024, k=1024)
    stages = {stage.name: stage for stage in registry.stages("padded_tile", BackendName.CUDA)}
    dram = {name: s.cost(size, Dtype.FLOAT32).bytes_by_level[Level.DRAM] for name, s in stages.items()}
    assert dram["naive"] == 2 * 4 * 1024**3
    assert [dram["naive"] // dram[f"padded_{edge}"] for edge in (8, 16, 32)] == [8, 16, 32]


@pytest.mark.parametrize("padding", [0, 1])
def test_the_labs_tile_reads_without_conflict_padded_or_not(padding: int) -> None:
    """A warp of a 16 x 16 block is two rows: it reads two words of A by broadcast, one row of B."""
    row = 4 * (16 + padding)
    reads_of_a = [row * (lane // 16) for lane in range(32)]
    reads_of_b = [4 * (lane % 16) for lane in range(32)]
    for addresses in (reads_of_a, reads_of_b):
        assert wavefronts(addresses) == ideal_wavefronts(addresses) == 1


def test_padding_the_labs_tile_makes_its_stores_conflict() -> None:
    """Row 1 of [16][17] starts at word 17, so its last word falls into the bank of word 0."""
    assert wavefronts([4 * (17 * (lane // 16) + lane % 16) for lane in range(32)]) == 2
    assert wavefronts([4 * (16 * (lane // 16) + lane % 16) for lane in range(32)]) == 1
