"""Theoretical occupancy of a measured cell, by the compiler's report and the launched block."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.domain.device import Device
from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.size import Size
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.residency import occupancy_by_threads, theoretical_occupancy
from tests import examples


def cell(registers: int, shared_bytes: int, block: tuple[int, int, int]) -> MeasuredCell:
    measured = examples.measurement()
    report = replace(examples.COMPILER, registers=registers, static_shared_bytes=shared_bytes)
    recipe = replace(measured.recipe, block=block)
    at = datetime(2026, 11, 30, tzinfo=UTC)
    return MeasuredCell(1, at, False, replace(measured, compiler=report, recipe=recipe))


@pytest.mark.parametrize(
    ("registers", "shared_bytes", "block", "fraction"),
    [(32, 8448, (32, 32, 1), 1.0), (126, 0, (256, 1, 1), 0.25), (32, 100 * 1024, (256, 1, 1), 0.25)],
)
def test_each_need_may_limit(
    registers: int, shared_bytes: int, block: tuple[int, int, int], fraction: float
) -> None:
    assert theoretical_occupancy(cell(registers, shared_bytes, block)) == fraction


def test_nothing_is_said_without_a_report_or_of_an_unknown_architecture() -> None:
    known = cell(32, 0, (256, 1, 1))
    assert known.measurement.compiler is not None
    without = replace(known, measurement=replace(known.measurement, compiler=None))
    foreign = replace(known.measurement.compiler, architecture="gfx90a")
    assert theoretical_occupancy(without) is None
    assert (
        theoretical_occupancy(replace(known, measurement=replace(known.measurement, compiler=foreign)))
        is None
    )


def test_threads_alone_limit_small_blocks() -> None:
    device = Device(uuid="GPU-1", name="H200", backend=BackendName.CUDA, compute_capability="9.0")
    fractions = [
        occupancy_by_threads(stage, Size.of(n=1024), DeviceEvidence(device, {}, {}, {}))
        for stage in registry.stages("block_size", BackendName.CUDA)
    ]
    assert fractions == [0.5, 1.0, 1.0, 1.0, 1.0, 1.0]
    unknown = DeviceEvidence(replace(device, compute_capability=None), {}, {}, {})
    assert (
        occupancy_by_threads(registry.stages("block_size", BackendName.CUDA)[0], Size.of(n=1), unknown)
        is None
    )
