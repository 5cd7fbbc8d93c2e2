"""Attention: reference, tolerance, costs and what the declarations repeat of their sources."""

from __future__ import annotations

import importlib
import re

import numpy as np
import pytest

from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, Level
from app.kernels import registry
from app.kernels.attention.cost import why_not_head_dim
from app.kernels.attention.problem import AWKWARD_SIZES, PROBLEM
from app.kernels.stage import Stage

DEFAULT = Size.of(heads=16, length=4096, head_dim=128)
GPU_STAGES = registry.stages("attention", BackendName.CUDA)
Arrays = dict[str, np.ndarray]


def drawn(size: Size) -> Arrays:
    random = np.random.default_rng(3)
    return {
        t.name: random.standard_normal(t.shape, dtype=np.float32).astype(np.float16)
        for t in PROBLEM.tensors(size)
        if not t.is_output
    }


def error(output: np.ndarray, inputs: Arrays, size: Size) -> float:
    """In units of the tolerance."""
    expected = PROBLEM.reference(np, inputs, size)["O"]
    found = float(np.abs(output - expected).max() / np.abs(expected).max())
    return found / PROBLEM.tolerance(size, Dtype.FLOAT16)


def test_one_key_returns_its_value_and_equal_keys_the_mean() -> None:
    size = Size.of(heads=2, length=1, head_dim=64)
    inputs = drawn(size)
    np.testing.assert_array_equal(PROBLEM.reference(np, inputs, size)["O"], inputs["V"].astype(np.float64))
    size = Size.of(heads=1, length=600, head_dim=64)
    inputs = drawn(size) | {"K": np.ones((1, 600, 64), np.float16)}
    mean = inputs["V"].astype(np.float64).mean(axis=1, keepdims=True)
    np.testing.assert_allclose(
        PROBLEM.reference(np, inputs, size)["O"], np.repeat(mean, 600, axis=1), atol=1e-12
    )


@pytest.mark.parametrize("stage", registry.stages("attention", BackendName.CPU), ids=lambda s: s.name)
@pytest.mark.parametrize(
    "size", [*AWKWARD_SIZES[:6], Size.of(heads=2, length=131, head_dim=40)], ids=lambda s: s.key
)
def test_cpu_stages_against_float64(stage: Stage, size: Size) -> None:
    inputs = drawn(size)
    output = np.full(inputs["Q"].shape, np.nan, np.float16)
    importlib.import_module(f"app.kernels.attention.cpu.{stage.source.stem}").run(
        inputs["Q"], inputs["K"], inputs["V"], output, 1
    )
    assert error(output, inputs, size) <= 1


def test_rounded_weights_pass_and_a_missing_key_does_not() -> None:
    size = Size.of(heads=1, length=1000, head_dim=64)
    inputs = drawn(size)
    q, k, v = (inputs[name][0].astype(np.float32) for name in "QKV")
    scores = q @ k.T / np.float32(8)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    sums = weights.sum(axis=1, keepdims=True)
    halves = weights.astype(np.float16).astype(np.float32)
    assert error(((halves @ v) / sums).astype(np.float16)[None], inputs, size) <= 0.6
    short = weights[:, :-1] / weights[:, :-1].sum(axis=1, keepdims=True)
    assert error((short @ v[:-1]).astype(np.float16)[None], inputs, size) > 10


def test_work_and_traffic_of_the_default_size() -> None:
    costs = {stage.name: stage.cost(DEFAULT, Dtype.FLOAT16) for stage in GPU_STAGES}
    tensor = 16 * 4096 * 128 * 2
    assert {cost.flop for cost in costs.values()} == {137_438_953_472}
    assert {cost.least_dram_bytes for cost in costs.values()} == {4 * tensor}
    assert costs["tensor_core"].bytes_by_level[Level.DRAM] == tensor * (2 + 2 * 32)
    assert costs["tensor_core"].bytes_by_level[Level.SHARED] == tensor * (64 + 2 * 128)
    assert costs["materialised"].bytes_by_level[Level.DRAM] > 4 * 16 * 4096 * 4096 * 4


def test_every_gpu_rung_takes_both_head_dims_and_says_why_it_takes_no_other() -> None:
    for stage in GPU_STAGES:
        assert stage.why_not is None or all(stage.why_not(size) is None for size in AWKWARD_SIZES)
    reason = why_not_head_dim(Size.of(heads=1, length=1, head_dim=80))
    assert reason is not None
    assert "not of 80" in reason


def constants(stage: Stage) -> dict[str, int]:
    text = stage.source.read_text(encoding="utf-8")
    return {name: int(value) for name, value in re.findall(r"constexpr int (\w+) = (\d+);", text)}


@pytest.mark.parametrize("stage", GPU_STAGES, ids=lambda s: s.name)
def test_declarations_repeat_the_constants_of_their_sources(stage: Stage) -> None:
    module = importlib.import_module(f"app.kernels.attention.cuda.{stage.source.stem}")
    shared = {name: value for name, value in constants(stage).items() if hasattr(module, name)}
    assert len(shared) >= 3
    assert shared == {name: getattr(module, name) for name in shared}
