"""The spilling pair and the lecture's: proved by the compiler's report; the means by a plain loop."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.occupancy import occupancy, sm_limits
from app.backends import nvrtc
from app.domain.measurement import CompilerReport
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.kernels.occupancy_spill import problem as declared


def report_of(name: str) -> CompilerReport:
    stage = registry.stage("occupancy_spill", BackendName.CUDA, name)
    source = stage.source.read_text(encoding="utf-8")
    return nvrtc.compile_cubin(source, stage.entry, "sm_90a", stage.compile_options).report


def test_the_cap_spills_hundreds_of_bytes_and_only_there() -> None:
    assert report_of("capped").spill_bytes > 500
    assert report_of("capped").registers == 32
    assert report_of("free").spill_bytes == 0
    assert report_of("free").registers > 64


def test_the_lectures_pair_compiles_to_the_same_registers_without_a_spill() -> None:
    free, forced = report_of("lecture_free"), report_of("lecture_forced")
    assert (free.registers, free.spill_bytes) == (forced.registers, forced.spill_bytes)
    assert free.spill_bytes == 0


@pytest.mark.parametrize(("name", "blocks"), [("free", 2), ("capped", 8), ("lecture_forced", 8)])
def test_blocks_an_sm(name: str, blocks: int) -> None:
    limits = sm_limits((9, 0))
    assert limits is not None
    assert occupancy(limits, 256, report_of(name).registers).blocks == blocks


def test_every_stage_is_charged_the_same_work() -> None:
    size = Size.of(n=1000)
    costs = {
        (cost.flop, cost.least_dram_bytes)
        for stage in registry.stages("occupancy_spill", BackendName.CUDA)
        for cost in [stage.cost(size, Dtype.FLOAT32)]
    }
    assert costs == {(2 * 64 * 32 * 1000, 2 * 64 * 4 * 1000)}


def test_the_reference_averages_each_ring_with_its_next_value() -> None:
    x = np.random.default_rng(1).standard_normal((declared.VALUES, 2)).astype(np.float32)
    ring = [float(value) for value in x[8:16, 1]]
    for _ in range(declared.ROUNDS):
        ring = [0.5 * (ring[i] + ring[(i + 1) % 8]) for i in range(8)]
    y = declared.PROBLEM.reference(np, {"x": x}, Size.of(n=2))["y"]
    assert np.allclose(y[8:16, 1], ring, rtol=0, atol=1e-12)
