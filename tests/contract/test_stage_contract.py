"""Every stage, present and future, holds to the contract in app/kernels/stage.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, Metric, ProblemKind
from app.kernels import registry
from app.kernels.problem import Problem, needed_bytes
from app.kernels.stage import Stage

ALL = [
    pytest.param(problem, stage, id=f"{problem.name}-{backend}-{stage.name}")
    for problem in registry.problems().values()
    for backend in BackendName
    for stage in registry.stages(problem.name, backend)
]
LADDERS = [
    pytest.param(problem, backend, id=f"{problem.name}-{backend}")
    for problem in registry.problems().values()
    for backend in BackendName
    if problem.is_ladder or problem.name == "ceilings" or registry.stages(problem.name, backend)
]
LARGEST_GRID = (2**31 - 1, 65_535, 65_535)
LARGEST_THREADS_PER_BLOCK = 1024
LONGEST_BOX_EDGE = 256


def sizes_of(problem: Problem) -> list[Size]:
    """Smallest, default and largest of every parameter, and odd ones where the range allows.

    A problem that is no ladder is measured at its own sizes; combinations beyond them fit no device.
    """
    if problem.suite_sizes:
        smallest = Size(tuple((p.name, p.minimum) for p in problem.size_parameters))
        default = Size(tuple((p.name, p.default) for p in problem.size_parameters))
        return [smallest, default, *problem.suite_sizes, *problem.check_sizes]

    def pick(values: dict[str, int]) -> Size:
        return Size(
            tuple((p.name, min(max(values[p.name], p.minimum), p.maximum)) for p in problem.size_parameters)
        )

    odd = dict(zip((p.name for p in problem.size_parameters), (4097, 513, 129), strict=False))
    return [
        pick({p.name: p.minimum for p in problem.size_parameters}),
        pick({p.name: p.default for p in problem.size_parameters}),
        pick({p.name: p.maximum for p in problem.size_parameters}),
        pick(odd),
    ]


@pytest.mark.parametrize(("problem", "backend"), LADDERS)
def test_names_are_unique_and_parents_stand_before_children(problem: Problem, backend: BackendName) -> None:
    ladder = registry.stages(problem.name, backend)
    names = [stage.name for stage in ladder]
    if problem.is_ladder or problem.name == "ceilings" or backend is BackendName.CUDA:
        assert ladder, "a problem without a stage on some backend would be an empty page"
    assert len(names) == len(set(names))
    for position, stage in enumerate(ladder):
        assert stage.improves_on is None or stage.improves_on in names[:position]


@pytest.mark.parametrize("backend", list(BackendName))
@pytest.mark.parametrize("name", ["matmul", "tensor_matmul"])
def test_every_type_and_arithmetic_has_a_library_line_and_those_stand_last(
    name: str, backend: BackendName
) -> None:
    ladder = registry.stages(name, backend)
    references = [s for s in ladder if s.reference]
    assert list(ladder[-len(references) :]) == references
    lines = [(dtype, s.arithmetic, s.mechanism) for s in references for dtype in s.dtypes]
    assert len(lines) == len(set(lines)), "two lines of one library function"
    compared = {(dtype, s.arithmetic) for s in ladder for dtype in s.dtypes}
    assert compared == {(dtype, arithmetic) for dtype, arithmetic, _ in lines}


@pytest.mark.parametrize(("problem", "stage"), ALL)
def test_words_are_there_and_short(problem: Problem, stage: Stage) -> None:
    assert stage.title
    assert stage.change
    assert 1 <= len(stage.mechanism.split()) <= 9
    assert set(stage.dtypes) <= set(problem.dtypes)


@pytest.mark.parametrize(("problem", "stage"), ALL)
def test_source_exists_and_holds_the_entry(problem: Problem, stage: Stage) -> None:
    text = stage.source.read_text(encoding="utf-8")
    if stage.backend is BackendName.CPU:
        assert stage.source.name == f"{stage.name}_kernel.py"
        assert stage.entry == "run"
        assert "def run(" in text
    elif stage.entry:
        assert stage.source.name == f"{stage.entry}.cu"
        if problem.is_ladder:
            assert stage.name == stage.entry or stage.name.startswith(f"{stage.entry}_"), "a family's source"
        assert f"{stage.entry}(" in text
    else:
        assert stage.reference, "only a library line has no kernel of its own"


@pytest.mark.parametrize(("problem", "stage"), ALL)
def test_cost_is_a_positive_whole_number_at_every_size(problem: Problem, stage: Stage) -> None:
    if stage.trap is not None:
        pytest.skip("a trap may count wrongly on purpose")
    for size in sizes_of(problem):
        for dtype in stage.dtypes:
            cost = stage.cost(size, dtype)
            assert type(cost.flop) is int
            assert type(cost.least_dram_bytes) is int
            assert cost.least_dram_bytes > 0
            assert cost.flop > 0 or stage.arithmetic is Arithmetic.NONE
            assert all(type(moved) is int and moved > 0 for moved in cost.bytes_by_level.values())


@pytest.mark.parametrize("backend", list(BackendName))
def test_matmul_flop_beyond_32_bits(backend: BackendName) -> None:
    size = Size.of(m=4096, n=4096, k=4096)
    for stage in registry.stages("matmul", backend):
        cost = stage.cost(size, Dtype.FLOAT32)
        assert cost.flop == 137_438_953_472
        assert cost.least_dram_bytes == 201_326_592
        if Level.DRAM in cost.bytes_by_level:
            assert cost.bytes_by_level[Level.DRAM] >= 2 * 4096 * 4096 * 4


@pytest.mark.parametrize(("problem", "stage"), ALL)
def test_launch_is_within_the_limits_of_a_device(problem: Problem, stage: Stage) -> None:
    if stage.backend is BackendName.CPU or not stage.entry:
        assert stage.launch is None
        return
    assert stage.launch is not None
    for size in sizes_of(problem):
        launch = stage.launch(size)
        for extent, limit in zip(launch.grid, LARGEST_GRID, strict=True):
            assert 1 <= extent <= limit
        x, y, z = launch.block
        assert (x * y * z) % 32 == 0
        assert x * y * z <= LARGEST_THREADS_PER_BLOCK
        assert launch.dynamic_shared_bytes <= max(48 * 1024, stage.needs.shared_bytes_per_block)


@pytest.mark.parametrize(("problem", "stage"), ALL)
def test_tensor_maps_are_within_the_limits_of_the_copy_engine(problem: Problem, stage: Stage) -> None:
    for size in sizes_of(problem):
        tensors = {tensor.name: tensor for tensor in problem.tensors(size)}
        for wanted in stage.tensor_maps:
            rows, columns = wanted.box
            row_bytes = columns * (tensors[wanted.tensor].dtype or stage.dtypes[0]).item_bytes
            assert 1 <= rows <= LONGEST_BOX_EDGE
            assert 1 <= columns <= LONGEST_BOX_EDGE
            assert row_bytes % 16 == 0
            assert wanted.swizzle_bytes in (0, 32, 64, 128)
            assert not wanted.swizzle_bytes or row_bytes <= wanted.swizzle_bytes
    if stage.tensor_maps:
        assert stage.needs.compute_capability is not None
        assert stage.needs.compute_capability >= (9, 0)
        assert stage.why_not is not None, "a row must be a multiple of 16 bytes long"


@pytest.mark.parametrize(("problem", "stage"), ALL)
def test_scratch_is_a_whole_number_of_bytes(problem: Problem, stage: Stage) -> None:
    if stage.scratch_bytes is not None:
        assert stage.entry, "a library line has no kernel to pass it to"
        for size in sizes_of(problem):
            assert type(stage.scratch_bytes(size)) is int
            assert stage.scratch_bytes(size) >= 0


@pytest.mark.parametrize(("problem", "stage"), ALL)
def test_claims_name_their_source_and_device(problem: Problem, stage: Stage) -> None:
    for claim in stage.claims:
        assert claim.metric in Metric
        assert claim.source.startswith("L")
        assert claim.device
        assert isinstance(claim.value, str) == (claim.metric is Metric.BOTTLENECK)
        if claim.metric is Metric.ROOF_FRACTION:
            assert claim.roof_flop_per_s is not None


@pytest.mark.parametrize(("problem", "stage"), ALL)
def test_a_ceiling_states_the_size_to_measure_at(problem: Problem, stage: Stage) -> None:
    assert (stage.ceiling_size is not None) == (problem.kind is ProblemKind.CEILING)
    if stage.ceiling_size is not None:
        for last_level_cache_bytes in (0, 2**20, 60 * 2**20, 2**29):
            n = stage.ceiling_size(last_level_cache_bytes)["n"]
            assert problem.size_parameters[0].minimum <= n <= problem.size_parameters[0].maximum


@pytest.mark.parametrize("problem", registry.problems().values(), ids=lambda p: p.name)
def test_sizes_of_a_suite_lie_in_their_ranges_and_are_checked_small(problem: Problem) -> None:
    assert problem.check_sizes or not problem.suite_sizes
    for size in (*problem.suite_sizes, *problem.check_sizes):
        assert [name for name, _ in size.values] == [p.name for p in problem.size_parameters]
        assert all(p.minimum <= size[p.name] <= p.maximum for p in problem.size_parameters)
    for size in problem.check_sizes:
        assert needed_bytes(problem, size, problem.dtypes[0]) < 2**30


def test_a_size_that_a_stage_skips_has_a_reason() -> None:
    naive = registry.stage("matmul", BackendName.CPU, "naive")
    assert naive.why_not is not None
    assert naive.why_not(Size.of(m=512, n=512, k=512)) is None
    reason = naive.why_not(Size.of(m=512, n=512, k=513))
    assert reason is not None
    assert "512³" in reason


def test_declaring_the_ladders_loads_no_compiler() -> None:
    """The web process reads every declaration; Numba and CuPy belong to the measuring child."""
    code = (
        "import sys; from app.kernels import registry; from app.domain.vocabulary import BackendName;"
        "[registry.stages(p, b) for p in registry.problems() for b in BackendName];"
        "sys.exit(bool({'numba', 'cupy', 'cuda'} & set(sys.modules)))"
    )
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


@pytest.mark.parametrize(("problem", "stage"), ALL)
def test_only_problems_of_traps_hold_traps(problem: Problem, stage: Stage) -> None:
    if stage.trap is None:
        return
    assert problem.kind is ProblemKind.TRAP
    assert stage.trap.fools.endswith(".")
    assert stage.trap.says
    if stage.trap.control is not None:
        control = registry.stage(problem.name, stage.backend, stage.trap.control)
        assert control.trap is None
        assert stage.trap.row_words
