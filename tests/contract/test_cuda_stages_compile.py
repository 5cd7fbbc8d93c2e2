"""NVRTC compiles every CUDA stage for two architectures, and it spills only where it says so; no GPU."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

from app.analysis.tiling import shared_tile_bytes
from app.backends import nvrtc
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.kernels.ceilings.cuda import tensor_mma, tensor_wgmma
from app.kernels.ceilings.tensor_peak import CEILING_SIZE, THREADS
from app.kernels.stage import Stage

COMPILED = [
    pytest.param(stage, id=f"{name}-{stage.name}")
    for name in registry.problems()
    for stage in registry.stages(name, BackendName.CUDA)
    if stage.entry
]


CAPABILITY = {"sm_80": (8, 0), "sm_90a": (9, 0)}


@pytest.mark.parametrize("architecture", CAPABILITY)
@pytest.mark.parametrize("stage", COMPILED)
def test_compiles_with_the_declared_spills(stage: Stage, architecture: str) -> None:
    needed = stage.needs.compute_capability
    if needed is not None and needed > CAPABILITY[architecture]:
        pytest.skip(f"needs compute capability {needed[0]}.{needed[1]}")
    compilation = nvrtc.compile_cubin(
        stage.source.read_text(encoding="utf-8"), stage.entry, architecture, stage.compile_options
    )
    report = compilation.report
    assert (report.spill_bytes > 0) is stage.spills, report.log
    assert report.static_shared_bytes <= 48 * 1024
    assert 1 <= report.registers <= 255
    assert compilation.cubin[:4] == b"\x7fELF"


@pytest.mark.parametrize("stage", COMPILED)
def test_registers_allow_one_whole_block(stage: Stage) -> None:
    """65,536 registers an SM, given out to warps in steps of 256: a block that exceeds them cannot launch."""
    assert stage.launch is not None
    problem = next(
        p for p in registry.problems().values() if stage in registry.stages(p.name, BackendName.CUDA)
    )
    x, y, z = stage.launch(Size(tuple((p.name, p.default) for p in problem.size_parameters))).block
    report = nvrtc.compile_cubin(
        stage.source.read_text(encoding="utf-8"), stage.entry, "sm_90a", stage.compile_options
    ).report
    registers_per_warp = -(-report.registers * 32 // 256) * 256
    assert registers_per_warp * (x * y * z // 32) <= 65_536


def constant(stage: Stage, name: str) -> int:
    found = re.search(rf"\b{name} = (\d+)", stage.source.read_text(encoding="utf-8"))
    assert found is not None, f"{stage.source.name} has no constant {name}"
    return int(found.group(1))


@pytest.mark.parametrize(
    ("name", "rows", "columns"),
    [
        ("block_tile", "TILE", "TILE"),
        ("register_tile_1d", "TILE", "TILE"),
        ("register_tile", "TILE", "TILE"),
        ("double_buffer", "BM", "BN"),
        ("warp_tile", "BM", "BN"),
        ("cp_async", "BM", "BN"),
        ("pipeline", "BM", "BN"),
    ],
)
@pytest.mark.parametrize(
    "size", [Size.of(m=1, n=1, k=1), Size.of(m=4097, n=513, k=129), Size.of(m=128, n=256, k=8)]
)
def test_the_grid_of_a_tiled_stage_covers_the_result_once(
    name: str, rows: str, columns: str, size: Size
) -> None:
    """Declaration and source must agree on the tile, or elements are missed or computed twice."""
    stage = registry.stage("matmul", BackendName.CUDA, name)
    assert stage.launch is not None
    grid = stage.launch(size).grid
    for blocks, tile, extent in (
        (grid[1], constant(stage, rows), size["m"]),
        (grid[0], constant(stage, columns), size["n"]),
    ):
        assert (blocks - 1) * tile < extent <= blocks * tile


def test_shared_memory_is_what_the_tiling_algebra_says() -> None:
    expected = {
        "block_tile": shared_tile_bytes(32, 32, 32),
        "register_tile": shared_tile_bytes(128, 128, 8, padding=4),
        "double_buffer": shared_tile_bytes(128, 128, 8, buffers=2, padding=4),
    }
    for name, shared_bytes in expected.items():
        stage = registry.stage("matmul", BackendName.CUDA, name)
        source = stage.source.read_text(encoding="utf-8")
        assert nvrtc.compile_cubin(source, stage.entry, "sm_90a").report.static_shared_bytes == shared_bytes


def test_the_multiply_add_roof_counts_what_its_source_does() -> None:
    stage = registry.stage("ceilings", BackendName.CUDA, "fp32_fma")
    assert stage.launch is not None
    assert constant(stage, "COUNT") % constant(stage, "UNROLL") == 0
    size = Size.of(n=1_000_000)
    assert stage.cost(size, Dtype.FLOAT32).flop == 2 * constant(stage, "COUNT") * 1_000_000
    elements = stage.launch(size).grid[0] * stage.launch(size).block[0] * constant(stage, "CHAINS")
    assert 0 <= elements - 1_000_000 < 256 * constant(stage, "CHAINS")


@pytest.mark.parametrize("module", [tensor_wgmma, tensor_mma])
def test_the_tensor_roofs_count_what_their_sources_do(module: ModuleType) -> None:
    for stage in module.STAGES:
        assert constant(stage, "ROUNDS") == module.ROUNDS
        assert constant(stage, "THREADS") == THREADS
        log = nvrtc.compile_cubin(
            stage.source.read_text(encoding="utf-8"), stage.entry, "sm_90a", stage.compile_options
        ).report.log
        assert "C75" not in log, "the compiler made the instructions wait for each other"
    fp16 = module.STAGES[0]
    blocks = fp16.launch(CEILING_SIZE).grid[0]
    assert blocks * THREADS == CEILING_SIZE["n"]
    rates = [stage.cost(CEILING_SIZE, Dtype.FLOAT32).flop for stage in module.STAGES]
    assert rates == [rates[0], rates[0], rates[0] // 2, rates[0] * 2]
    assert rates[0] == blocks * 2 * module.ROWS * module.COLUMNS * 16 * module.INSTRUCTIONS
    assert fp16.launch(Size.of(n=129)).grid == (2, 1, 1)
