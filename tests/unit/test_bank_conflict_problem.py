"""The bank-conflict problem: wavefronts by the model, sums by a plain loop, source and declaration agree."""

from __future__ import annotations

import re
from math import gcd

import numpy as np
import pytest

from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, Level
from app.kernels import registry
from app.kernels.bank_conflict import problem as declared

PROBLEM = declared.PROBLEM
STAGE = registry.stage("bank_conflict", BackendName.CUDA, "warp_read")
FREE = Size.of(stride=1, sharers=1)


@pytest.mark.parametrize("stride", [1, 2, 7, 8, 16, 24, 32, 33])
def test_shared_bytes_are_the_wavefronts_of_the_stride(stride: int) -> None:
    free = STAGE.cost(FREE, Dtype.INT32).bytes_by_level[Level.SHARED]
    assert free == declared.BLOCKS * declared.THREADS * declared.READS * 4, "every byte is useful"
    cost = STAGE.cost(Size.of(stride=stride, sharers=1), Dtype.INT32)
    assert cost.bytes_by_level[Level.SHARED] == free * gcd(stride, 32)


@pytest.mark.parametrize(("stride", "sharers", "passes"), [(32, 32, 1), (32, 16, 2), (1, 16, 1), (32, 1, 32)])
def test_lanes_on_one_word_share_a_wavefront(stride: int, sharers: int, passes: int) -> None:
    assert declared.request_wavefronts(Size.of(stride=stride, sharers=sharers)) == passes


@pytest.mark.parametrize("size", PROBLEM.check_sizes, ids=lambda size: size.key)
def test_the_reference_adds_what_a_lane_reads(size: Size) -> None:
    assert PROBLEM.draw is not None
    inputs = PROBLEM.draw(np, size, 3)
    sums = PROBLEM.reference(np, inputs, size)["y"]
    assert sums.shape == (declared.BLOCKS, declared.THREADS)
    for lane in (0, 1, 31):
        word = lane // size["sharers"] * size["stride"]
        reads = [
            int(inputs["x"][word + 32 * (start + step)])
            for start in range(declared.ROUNDS)
            for step in range(declared.STEPS)
        ]
        assert sums[5, 64 + lane] == sum(reads)


def test_source_and_declaration_have_the_same_constants() -> None:
    text = STAGE.source.read_text(encoding="utf-8")
    for name in ("THREADS", "ROUNDS", "STEPS"):
        found = re.search(rf"\b{name} = (\d+)", text)
        assert found is not None
        assert int(found.group(1)) == getattr(declared, name)
    assert declared.WORDS == 32 * 32 + 32 * (declared.STEPS + declared.ROUNDS)
