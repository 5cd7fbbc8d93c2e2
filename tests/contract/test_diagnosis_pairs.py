"""Every pair is a fault and its cure, and the compiler shows what it says that the compiler shows."""

from __future__ import annotations

import re

import numpy as np
import pytest

from app.backends import nvrtc
from app.domain.measurement import CompilerReport
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, ProblemKind
from app.kernels import registry
from app.kernels.pair import Pair, pairs
from app.kernels.stage import Launch, Stage

FAULTS = {
    "alignment",
    "atomic_contention",
    "branch_divergence",
    "cache_walk",
    "grid_size",
    "launch_overhead",
    "local_array",
    "register_cap",
    "tensor_pipe",
}
ALL = [pytest.param(pair, id=name) for name, pair in pairs().items()]


def compiled(stage: Stage, architecture: str = "sm_90a") -> CompilerReport:
    source = stage.source.read_text(encoding="utf-8")
    return nvrtc.compile_cubin(source, stage.entry, architecture, stage.compile_options).report


def test_every_problem_of_the_kind_is_declared_as_a_pair() -> None:
    kind = {p.name for p in registry.problems().values() if p.kind is ProblemKind.PAIR}
    assert set(pairs()) == kind
    assert kind >= FAULTS


@pytest.mark.parametrize("pair", ALL)
def test_a_pair_is_a_faulty_stage_and_a_cured_one(pair: Pair) -> None:
    faulty, cured = pair.stages
    assert faulty.improves_on is None
    assert cured.improves_on == faulty.name
    assert faulty.dtypes == cured.dtypes
    assert all(text.endswith(".") for text in (pair.fault, pair.sign, pair.cure, pair.lesson))
    problem = registry.problem(pair.problem)
    assert problem.suite_sizes
    assert len(problem.check_sizes) >= 3
    for size in problem.suite_sizes:
        for dtype in problem.dtypes:
            assert faulty.cost(size, dtype).flop == cured.cost(size, dtype).flop
            assert faulty.cost(size, dtype).least_dram_bytes == cured.cost(size, dtype).least_dram_bytes


@pytest.mark.parametrize("pair", ALL)
def test_inputs_fit_their_tensors_and_the_reference_is_of_the_outputs(pair: Pair) -> None:
    problem = registry.problem(pair.problem)
    for size in problem.check_sizes:
        tensors = problem.tensors(size)
        declared = problem.draw(np, size, 7) if problem.draw else {}
        inputs = {t.name: declared.get(t.name, np.ones(t.shape)) for t in tensors if not t.is_output}
        assert all(inputs[t.name].shape == t.shape for t in tensors if not t.is_output)
        expected = problem.reference(np, inputs, size)
        assert {t.name: t.shape for t in tensors if t.is_output} == {
            name: array.shape for name, array in expected.items()
        }


def test_an_array_indexed_at_run_time_has_an_address_and_spills_nothing() -> None:
    indexed, unrolled = pairs()["local_array"].stages
    for architecture in ("sm_80", "sm_90a"):
        assert compiled(indexed, architecture).stack_bytes == 16 * 4
        assert compiled(indexed, architecture).spill_bytes == 0
        assert compiled(unrolled, architecture).stack_bytes == 0


def test_the_cap_on_registers_holds_and_spills() -> None:
    capped, free = pairs()["register_cap"].stages
    assert compiled(capped).registers <= 32
    assert compiled(capped).spill_bytes > 0
    assert compiled(free).registers > 64
    assert compiled(free).spill_bytes == 0


def test_few_blocks_differ_in_the_grid_alone() -> None:
    few, full = pairs()["grid_size"].stages
    size = registry.problem("grid_size").suite_sizes[0]
    assert few.source == full.source
    assert few.compile_options == full.compile_options
    assert few.launch is not None
    assert full.launch is not None
    assert few.launch(size).grid == (16, 1, 1)
    assert full.launch(size).grid[0] * full.launch(size).block[0] == size["n"]


def test_a_series_of_launches_passes_its_index_behind_the_scalars() -> None:
    assert Launch((1, 1, 1), (32, 1, 1)).further_scalars == ((),)
    series = Launch((1, 1, 1), (32, 1, 1), launches=3)
    assert series.further_scalars == ((0,), (1,), (2,))
    assert series.count == 3


def test_small_launches_cover_the_elements_once() -> None:
    many, one = pairs()["launch_overhead"].stages
    assert many.launch is not None
    assert one.launch is not None
    for n in (1, 4096, 4097, 2**20, 2**21):
        size = Size.of(n=n)
        launch = many.launch(size)
        elements = launch.grid[0] * launch.block[0]
        assert (launch.count - 1) * elements < n <= launch.count * elements
        assert one.launch(size).count == 1


@pytest.mark.parametrize(
    ("problem", "stage", "name", "value"),
    [
        ("branch_divergence", "divergent", "ROUNDS", 256),
        ("branch_divergence", "uniform", "ROUNDS", 256),
        ("local_array", "indexed", "COUNT", 16),
        ("atomic_contention", "contended", "BINS", 16),
        ("atomic_contention", "privatised", "BINS", 16),
        ("cache_walk", "blocked", "CHUNK", 4096),
        ("cache_walk", "blocked", "PASSES", 8),
        ("launch_overhead", "many_launches", "SLICE", 4096),
        ("register_cap", "free", "TRANSFORMS", 3),
    ],
)
def test_constants_of_declaration_and_source_agree(problem: str, stage: str, name: str, value: int) -> None:
    module = __import__(f"app.kernels.{problem}.problem", fromlist=[name])
    text = registry.stage(problem, BackendName.CUDA, stage).source.read_text(encoding="utf-8")
    assert getattr(module, name) == value
    assert re.search(rf"\b{name} = {value}\b", text)


def test_halves_summed_in_half_precision_would_be_caught() -> None:
    problem = registry.problem("tensor_pipe")
    size = Size.of(m=64, n=64, k=256)
    random = np.random.default_rng(5)
    a, b = (random.standard_normal(shape).astype(np.float16) for shape in ((64, 256), (256, 64)))
    expected = problem.reference(np, {"A": a, "B": b}, size)["C"]

    def error(sums: np.ndarray) -> float:
        return float(np.abs(sums - expected).max() / np.abs(expected).max())

    tolerance = problem.tolerance(size, Dtype.FLOAT16)
    assert error(a.astype(np.float32) @ b.astype(np.float32)) <= tolerance
    assert error((a @ b).astype(np.float64)) > tolerance
