"""The CUDA backend on a real GPU: right results at odd sizes, cold and warm, TF32 off, faults."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from app.backends.backend import PreparedCell
from app.domain.child_messages import Done, Measured, Plan, StopRule
from app.domain.measurement import CellKey
from app.domain.size import Size
from app.domain.vocabulary import BackendName, CellStatus, Dtype
from app.kernels import registry
from tests.measuring_child import ROOT, outcomes, run

if TYPE_CHECKING:
    from app.backends.cuda import CudaBackend

pytestmark = [pytest.mark.gpu, pytest.mark.usefixtures("backend")]

ODD_SIZES = ((1, 1, 1), (3, 5, 7), (33, 65, 17), (128, 128, 8), (129, 513, 257), (1000, 1, 333), (1, 777, 31))
QUICK = StopRule(min_samples=10, min_total_s=0.0, ci_width_fraction=0.05, max_samples=50, max_total_s=0.3)


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CudaBackend]:
    cuda = pytest.importorskip("app.backends.cuda", exc_type=ImportError)
    registry.add_folder(ROOT / "tests" / "problems")
    opened: CudaBackend = cuda.CudaBackend(tmp_path_factory.mktemp("cubins"))
    yield opened
    opened.release()


def matmul(backend: CudaBackend, stage: str, m: int, n: int, k: int) -> PreparedCell:
    declared = registry.stage("matmul", BackendName.CUDA, stage)
    return backend.prepare(declared, registry.problem("matmul"), Size.of(m=m, n=n, k=k), Dtype.FLOAT32)


def doubling(backend: CudaBackend, n: int) -> PreparedCell:
    declared = registry.stage("gpu_faults", BackendName.CUDA, "good")
    return backend.prepare(declared, registry.problem("gpu_faults"), Size.of(n=n), Dtype.FLOAT32)


@pytest.mark.parametrize("size", ODD_SIZES)
def test_every_matmul_stage_is_right_at_odd_sizes(backend: CudaBackend, size: tuple[int, int, int]) -> None:
    for stage in registry.stages("matmul", BackendName.CUDA):
        found = matmul(backend, stage.name, *size).check(seed=sum(size))
        assert found.passed_before, f"{stage.name}: {found.detail}"
    backend.release()


@pytest.mark.parametrize("dtype", [Dtype.FLOAT16, Dtype.BFLOAT16])
@pytest.mark.parametrize("size", ODD_SIZES)
def test_every_library_line_of_half_precision_is_right(
    backend: CudaBackend, size: tuple[int, int, int], dtype: Dtype
) -> None:
    problem, (m, n, k) = registry.problem("tensor_matmul"), size
    lines = [s for s in registry.stages(problem.name, BackendName.CUDA) if s.reference and dtype in s.dtypes]
    assert len(lines) == 2
    for stage in lines:
        found = backend.prepare(stage, problem, Size.of(m=m, n=n, k=k), dtype).check(seed=sum(size))
        assert found.passed_before, f"{stage.name}: {found.detail}"
    backend.release()


def test_a_library_line_says_which_algorithm_it_took(backend: CudaBackend) -> None:
    library = matmul(backend, "cublaslt", 512, 512, 512).recipe.library
    assert library is not None
    assert "cublasLtMatmul" in library
    assert "heuristic" in library
    assert ", kernel " in library, "its name comes from a captured graph"


def test_data_in_the_l2_is_faster_warm_than_cold(backend: CudaBackend) -> None:
    cell = doubling(backend, n=2_000_000)
    assert cell.check(seed=1).passed_before
    warm_s = cell.warm_up(0.1)
    cold_s = median(cell.time_cold() for _ in range(20))
    assert cold_s > 1.2 * warm_s


def test_neither_launch_gap_nor_flush_lies_in_the_window(backend: CudaBackend) -> None:
    cell = doubling(backend, n=256)
    assert cell.check(seed=1).passed_before
    cell.warm_up(0.1)
    assert median(cell.time_cold() for _ in range(50)) < 12e-6
    assert median(cell.time_warm(200) for _ in range(20)) < 5e-6


def test_the_dram_copy_comes_near_the_data_sheet_and_stays_below_it(backend: CudaBackend) -> None:
    declared = registry.stage("copy", BackendName.CUDA, "vector_tail")
    size = Size.of(n=1 << 28)
    cell = backend.prepare(declared, registry.problem("copy"), size, Dtype.FLOAT32)
    assert cell.check(seed=1).passed_before
    cell.warm_up(0.1)
    moved = declared.cost(size, Dtype.FLOAT32).least_dram_bytes
    rate = moved / median(cell.time_cold() for _ in range(10))
    datasheet = backend.device().datasheet_dram_bytes_per_s
    assert datasheet is not None
    assert 0.7 * datasheet < rate < datasheet
    backend.release()


def test_cublas_is_fp32_and_says_so(backend: CudaBackend) -> None:
    cell = matmul(backend, "cublas", 1024, 1024, 1024)
    found = cell.check(seed=5)
    assert cell.recipe.library is not None
    assert cell.recipe.library.endswith("CUBLAS_DEFAULT_MATH (TF32 off)")
    assert found.max_relative_error is not None
    assert found.max_relative_error < 1e-5  # TF32 would give about 3e-4


def test_the_compiler_report_and_the_recipe_allow_a_rerun(backend: CudaBackend) -> None:
    cell = matmul(backend, "naive", 64, 64, 64)
    assert cell.compiler is not None
    assert cell.compiler.registers > 0
    assert cell.recipe.cubin_sha256 == cell.compiler.cubin_sha256
    assert cell.recipe.block is not None


def test_the_state_of_the_device_is_readable_and_nobody_else_is_on_it(backend: CudaBackend) -> None:
    state = backend.state()
    assert state.sm_clock_hz
    assert state.temperature_c
    assert state.foreign_processes == ()
    device = backend.device()
    assert device.uuid.startswith("GPU-")
    assert device.boost_clock_hz
    assert device.l2_bytes


def test_faulty_stages_leave_the_others_measured(tmp_path: Path) -> None:
    code, told, _ = run(
        faults("good", "does_not_compile", "unwritten", "from_the_future", cache_dir=tmp_path)
    )
    found = outcomes(told)
    assert (code, type(told[-1])) == (0, Done)
    assert found["good"][0] is CellStatus.MEASURED
    assert "no_such_name" in found["does_not_compile"][1]
    assert found["unwritten"][0] is CellStatus.WRONG_RESULT
    assert found["from_the_future"][0] is CellStatus.UNSUPPORTED
    cold, warm = (m.measurement for m in told if isinstance(m, Measured))
    assert cold.sm_clock_hz
    assert warm.launches_per_sample > 1


@pytest.mark.parametrize("stage", ["illegal_address", "traps"])
def test_a_fault_ends_the_child_after_its_outcome_and_a_new_child_works(tmp_path: Path, stage: str) -> None:
    code, told, _ = run(faults(stage, "good", cache_dir=tmp_path))
    assert code == 4
    assert outcomes(told)[stage][0] is CellStatus.FAILED
    assert "its process was ended" in outcomes(told)[stage][1]
    assert not any(isinstance(m, Done) for m in told)
    code, told, _ = run(faults("good", cache_dir=tmp_path))
    assert (code, outcomes(told)["good"][0]) == (0, CellStatus.MEASURED)


def faults(*stages: str, cache_dir: Path) -> Plan:
    cells = tuple(CellKey("gpu_faults", stage, Size.of(n=100_000), Dtype.FLOAT32) for stage in stages)
    return Plan(BackendName.CUDA, cells, QUICK, QUICK, measure_ceilings=False, cache_dir=str(cache_dir))
