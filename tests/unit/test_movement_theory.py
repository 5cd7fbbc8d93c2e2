"""What theory allows a stage that only moves data: the slowest level at its measured roof."""

from __future__ import annotations

import numpy as np
import pytest

from app.domain.evidence import DeviceEvidence
from app.domain.measurement import Ceiling
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, Provenance
from app.kernels import registry
from app.kernels.movement import slowest_level_bandwidth
from app.kernels.strided_access import problem as strided
from tests.ladders import GPU

SQUARE = Size.of(rows=8192, columns=8192)


def evidence(**roofs: float) -> DeviceEvidence:
    ceilings = {
        (name, Provenance.MEASURED): (1, Ceiling(name, name, "bandwidth", value, Provenance.MEASURED))
        for name, value in roofs.items()
    }
    return DeviceEvidence(device=GPU, cells={}, fates={}, ceilings=ceilings)


@pytest.mark.parametrize(
    ("problem", "stage", "expected"),
    [
        ("transpose", "tile33", 4e12),  # DRAM: 8 bytes an element at 4 TB/s
        ("transpose", "tile32", 8 / 132 * 33e12),  # shared: 33 wavefronts of 4 bytes an element
        ("transpose", "naive_read", 8 / 36 * 9e12),  # L2: 4 bytes read, 32 written an element
        ("matrix_walk", "row_walk", 4e12),
        ("matrix_walk", "column_walk", 8 / 64 * 9e12),  # L2: a sector a lane, in and out
    ],
)
def test_the_slowest_level_decides(problem: str, stage: str, expected: float) -> None:
    cost = registry.stage(problem, BackendName.CUDA, stage).cost(SQUARE, Dtype.FLOAT32)
    roofs = evidence(dram_copy=4e12, l2_read=9e12, shared_read=33e12)
    assert slowest_level_bandwidth(cost, roofs) == pytest.approx(expected)


def test_a_level_without_a_roof_is_left_out_and_dram_is_needed() -> None:
    cost = registry.stage("transpose", BackendName.CUDA, "tile32").cost(SQUARE, Dtype.FLOAT32)
    assert slowest_level_bandwidth(cost, evidence(dram_copy=4e12)) == pytest.approx(4e12)
    assert slowest_level_bandwidth(cost, evidence(shared_read=33e12)) is None


def test_an_input_drawn_in_parts_is_drawn_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strided, "DRAWN_AT_ONCE", 7)
    draw = strided.PROBLEM.draw
    assert draw is not None
    x = draw(np, Size.of(n=10, stride=2), 5)["x"]
    assert x.shape == (20,)
    assert len(set(x.tolist())) == 20, "every element is drawn, and no part repeats another"


def test_all_matrix_vector_products_declare_the_same_work() -> None:
    size = Size.of(n=16_384, k=4096)
    costs = [s.cost(size, Dtype.FLOAT32) for s in registry.stages("gemv", BackendName.CUDA)]
    assert len(costs) == 4
    assert {(c.flop, c.least_dram_bytes) for c in costs} == {
        (2 * 16_384 * 4096, 4 * (16_384 * 4096 + 20_480))
    }
