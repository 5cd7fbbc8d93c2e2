"""The chains of the latency walks: one cycle through all lines, the host's walk follows the same one."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from app.domain.device import Device
from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.kernels.constant_latency.problem import CHAIN as CONSTANT
from app.kernels.experiment import experiments
from app.kernels.latency import chain as chains
from app.kernels.latency.problem import CHAIN, PROBLEM
from app.kernels.shared_latency.problem import CHAIN as SHARED
from app.kernels.stage import Stage

H200 = Device(
    uuid="GPU-1",
    name="H200",
    backend=BackendName.CUDA,
    boost_clock_hz=2e9,
    l2_bytes=60 * 2**20,
    shared_bytes_per_multiprocessor=228 * 1024,
)


def drawn(kib: int) -> Any:
    assert PROBLEM.draw is not None
    return PROBLEM.draw(np, Size.of(kib=kib), 1)["chain"][:, 0]


def only_stage(problem: str) -> Stage:
    (stage,) = registry.stages(problem, BackendName.CUDA)
    return stage


@pytest.mark.parametrize("kib", [1, 4, 64, 1024, 16 * 1024])
def test_the_chain_visits_every_line_once_before_it_returns(kib: int) -> None:
    following = (drawn(kib) // 32).tolist()
    at, visited = 0, 0
    while True:
        at, visited = following[at], visited + 1
        if at == 0:
            break
    assert visited == len(following) == kib * 1024 // 128


def test_a_hop_rarely_stays_within_a_page_of_dram() -> None:
    """Sixteen neighbouring lines are 2 KiB; a chain that crept along them would measure prefetching."""
    following = drawn(16 * 1024) // 32
    near = np.abs(following - np.arange(following.size)) < 16
    assert near.mean() < 0.01


@pytest.mark.parametrize("kib", [1, 32, 512])
def test_the_reference_ends_where_the_drawn_chain_ends(kib: int) -> None:
    size, following = Size.of(kib=kib), (drawn(kib) // 32).tolist()
    at = 0
    for _ in range(CHAIN.hops(size)):
        at = following[at]
    assert PROBLEM.reference(np, {}, size)["last"].tolist() == [at]


def test_a_chain_modulo_fewer_lines_is_the_chain_of_those_lines() -> None:
    """What lets one table in constant memory serve every size."""
    for kib in (1, 2, 8, 64):
        lines = CONSTANT.lines(Size.of(kib=kib))
        large = [(chains.MULTIPLIER * i + chains.INCREMENT) % 1024 for i in range(lines)]
        assert [value % lines for value in large] == [chains.walk(lines, 1, i) for i in range(lines)]


def test_the_sources_have_the_constants_of_the_chain() -> None:
    text = only_stage("constant_latency").source.read_text(encoding="utf-8")
    assert f"{chains.MULTIPLIER}u * line + {chains.INCREMENT}u" in text
    for problem, chain in (("latency", CHAIN), ("shared_latency", SHARED), ("constant_latency", CONSTANT)):
        source = only_stage(problem).source.read_text(encoding="utf-8")
        found = re.search(r"WORDS_PER_LINE = (\d+)", source)
        assert found is not None
        assert int(found.group(1)) == chain.words_per_line


@pytest.mark.parametrize("problem", ["latency", "shared_latency", "constant_latency"])
def test_a_set_that_has_no_chain_is_skipped_with_the_reason(problem: str) -> None:
    stage = only_stage(problem)
    assert stage.why_not is not None
    assert stage.why_not(Size.of(kib=16)) is None
    assert "power of two" in (stage.why_not(Size.of(kib=12)) or "")


def test_cost_is_a_word_of_every_line_and_a_sector_a_hop() -> None:
    cost = only_stage("latency").cost(Size.of(kib=1), Dtype.INT32)
    assert cost.least_dram_bytes == 4 * (8 + 1)
    assert list(cost.bytes_by_level.values()) == [4 * (8 + 1), 32 * 16_384]


def test_elements_of_the_largest_chain_have_32_bit_indices() -> None:
    assert CHAIN.lines(Size.of(kib=CHAIN.largest_kib)) * CHAIN.words_per_line < 2**31


@pytest.mark.parametrize(("kib", "cycles"), [(1, 35), (128, 35), (1024, 190), (32 * 1024, 190), (2**20, 450)])
def test_the_lectures_steps_lie_at_the_capacities_of_the_device(kib: int, cycles: int) -> None:
    evidence = DeviceEvidence(H200, {}, {}, {})
    theory = experiments()["latency"].theory
    seconds = theory(only_stage("latency"), Size.of(kib=kib), evidence)
    assert seconds == pytest.approx(cycles / 2e9)


@pytest.mark.parametrize(
    ("kib", "title"), [(1, "1 KiB"), (512, "512 KiB"), (16_384, "16 MiB"), (2**22, "4 GiB")]
)
def test_sets_are_named_in_their_largest_unit(kib: int, title: str) -> None:
    assert chains.set_title(kib) == title
