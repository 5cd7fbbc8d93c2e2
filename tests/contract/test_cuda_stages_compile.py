"""NVRTC compiles every CUDA stage for two architectures, with exactly the spills it declares; no GPU."""

from __future__ import annotations

import pytest

from app.backends import nvrtc
from app.domain.size import Size
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.stage import Stage

COMPILED = [
    pytest.param(stage, id=f"{name}-{stage.name}")
    for name in registry.problems()
    for stage in registry.stages(name, BackendName.CUDA)
    if stage.entry
]


@pytest.mark.parametrize("architecture", ["sm_80", "sm_90a"])
@pytest.mark.parametrize("stage", COMPILED)
def test_compiles_with_the_declared_spills(stage: Stage, architecture: str) -> None:
    compilation = nvrtc.compile_cubin(
        stage.source.read_text(encoding="utf-8"), stage.entry, architecture, stage.compile_options
    )
    report = compilation.report
    assert report.spill_bytes == stage.declared_spill_bytes, report.log
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
