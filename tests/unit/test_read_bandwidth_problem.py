"""The read sweep: sums by a plain loop, bytes by the number of loads, roofs by what holds the set."""

from __future__ import annotations

import re

import numpy as np
import pytest

from app.domain.device import Device
from app.domain.evidence import DeviceEvidence
from app.domain.measurement import Ceiling
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, Level, Provenance
from app.kernels import registry
from app.kernels.experiment import experiments
from app.kernels.read_bandwidth import problem as declared

STAGES = {stage.name: stage for stage in registry.stages("read_bandwidth", BackendName.CUDA)}
H200 = Device(
    uuid="GPU-1",
    name="H200",
    backend=BackendName.CUDA,
    multiprocessor_count=132,
    l2_bytes=60 * 2**20,
    shared_bytes_per_multiprocessor=228 * 1024,
)


def test_the_reference_adds_what_a_thread_reads() -> None:
    size = Size.of(kib=4 * declared.SMALLEST_KIB)
    assert declared.PROBLEM.draw is not None
    x = declared.PROBLEM.draw(np, size, 5)["x"].astype(np.int32)
    sums = declared.PROBLEM.reference(np, {"x": x}, size)["sums"]
    words, quads = x.ravel(), declared.quads(size)
    for block, lane in ((0, 0), (1, 7), (511, 255)):
        thread = block * 256 + lane
        read = [(thread + step * declared.THREADS) % quads for step in range(declared.STEPS)]
        assert sums[block, lane] == sum(int(words[4 * quad : 4 * quad + 4].sum()) for quad in read)
    assert sums.max() < 2**31
    assert len(np.unique(sums)) > 10, "threads that read one another's words must be found out"


def test_every_launch_reads_four_gibibytes() -> None:
    assert declared.READ_BYTES == 2**32
    for name, level in (("through_l1", Level.L1), ("past_l1", Level.L2), ("shared_memory", Level.SHARED)):
        cost = STAGES[name].cost(Size.of(kib=4096), Dtype.INT32)
        assert cost.bytes_by_level[level] == 2**32
        assert cost.least_dram_bytes == 4 * 2**20 + 4 * declared.THREADS


@pytest.mark.parametrize("name", ["through_l1", "shared_memory"])
def test_source_and_declaration_have_the_same_constants(name: str) -> None:
    text = STAGES[name].source.read_text(encoding="utf-8")
    assert f"BLOCK = {declared.THREADS_PER_BLOCK}, THREADS = {declared.BLOCKS} * BLOCK" in text
    found = re.search(r"STEPS = (\d+)", text)
    assert found is not None
    assert int(found.group(1)) == declared.STEPS


def test_sets_that_a_stage_cannot_read_are_skipped_with_the_reason() -> None:
    def reason(name: str, kib: int) -> str:
        why_not = STAGES[name].why_not
        assert why_not is not None
        return why_not(Size.of(kib=kib)) or ""

    assert "power of two" in reason("through_l1", 3000)
    assert "up to 16 MiB" in reason("shared_memory", 32 * 1024)
    assert reason("past_l1", 4096 * 1024) == reason("shared_memory", 16 * 1024) == ""


@pytest.mark.parametrize(
    ("stage", "mib", "roof"),
    [
        ("through_l1", 16, "shared_read"),
        ("through_l1", 32, "l2_read"),
        ("past_l1", 2, "l2_read"),
        ("past_l1", 64, "dram_read"),
        ("through_l1", 4096, "dram_read"),
        ("shared_memory", 2, "shared_read"),
    ],
)
def test_the_theory_is_the_roof_of_the_level_that_holds_the_set(stage: str, mib: int, roof: str) -> None:
    values = {"shared_read": 33e12, "l2_read": 8e12, "dram_read": 4e12}
    ceilings = {
        (name, Provenance.MEASURED): (
            1,
            Ceiling(name, name, "bandwidth", value, Provenance.MEASURED),
        )
        for name, value in values.items()
    }
    theory = experiments()["read_bandwidth"].theory
    evidence = DeviceEvidence(H200, {}, {}, ceilings)
    assert theory(STAGES[stage], Size.of(kib=mib * 1024), evidence) == values[roof]
    assert theory(STAGES[stage], Size.of(kib=mib * 1024), DeviceEvidence(H200, {}, {}, {})) is None
