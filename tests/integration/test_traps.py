"""What fools a benchmark is caught with the right words: on the CPU where the CPU can show it."""

from __future__ import annotations

from pathlib import Path

from app.backends.cuda_errors import failure_of
from app.backends.health import beside_the_kernel
from app.domain.child_messages import Measured, Plan, StopRule
from app.domain.measurement import CellKey
from app.domain.run import Selection
from app.domain.size import Size
from app.domain.vocabulary import BackendName, CellStatus, Dtype, JobStatus
from app.kernels import registry
from tests import examples
from tests.integration.worker_process import WorkerProcess
from tests.measuring_child import ROOT, outcomes, run

QUICK = StopRule(min_samples=5, min_total_s=0.0, ci_width_fraction=0.5, max_samples=10, max_total_s=0.1)


def test_zeros_an_overflowed_count_and_a_missing_edge_are_caught(tmp_path: Path) -> None:
    cells = [
        CellKey(problem, stage.name, registry.problem(problem).suite_sizes[0], Dtype.FLOAT32)
        for problem in ("trap_matmul", "trap_zeros")
        for stage in registry.stages(problem, BackendName.CPU)
    ]
    plan = Plan(BackendName.CPU, tuple(cells), measure_ceilings=False, cache_dir=str(tmp_path))
    code, told, _ = run(plan)
    found = outcomes(told)
    assert code == 0
    assert len(found) == 3
    for key in cells:
        trap = registry.stage(key.problem, BackendName.CPU, key.stage).trap
        assert trap is not None
        status, reason = found[key.stage]
        assert status is trap.status
        assert trap.says in reason
    assert "-1,839,934,592" in found["flop_in_32_bits"][1]
    assert not any(isinstance(message, Measured) for message in told)


def test_the_same_kernel_over_whole_tiles_is_right(tmp_path: Path) -> None:
    """Only the edge is wrong: the trap is caught for what it is."""
    key = CellKey("trap_matmul", "tile_without_edge", Size.of(n=64), Dtype.FLOAT32)
    plan = Plan(BackendName.CPU, (key,), brief=QUICK, measure_ceilings=False, cache_dir=str(tmp_path))
    _, told, _ = run(plan)
    assert outcomes(told)["tile_without_edge"] == (CellStatus.MEASURED, "")


def test_a_trap_that_hangs_is_ended_by_its_own_deadline_and_the_next_one_is_measured(tmp_path: Path) -> None:
    registry.add_folder(ROOT / "tests" / "problems")
    selection = Selection(("hanging_trap",), None, (), (), BackendName.CPU)
    worker = WorkerProcess(tmp_path, scripted=False)
    try:
        job = worker.submit([], selection=selection, cell_count=2, enqueue=False)
        worker.store.add_ceiling(job.run_id, examples.ceiling())  # spares the roofs' micro-benchmarks
        worker.start()
        job = worker.wait(job, seconds=60)
        found = {o.key.stage: o for o in worker.store.run(job.run_id).outcomes}
    finally:
        worker.close()
    assert job.status is JobStatus.FINISHED
    assert found["endless"].status is CellStatus.FAILED
    assert found["endless"].reason == "hung: no sign of life for 1 s"
    assert found["good"].status is CellStatus.MEASURED


def test_a_clock_stopped_before_the_kernel_is_told_from_one_that_times_the_start_up() -> None:
    assert beside_the_kernel(3e-6, 130e-6)[0].startswith("3 µs a sample where a launch takes 130 µs")
    assert "launch once before timing" in beside_the_kernel(0.2, 130e-6)[0]
    assert beside_the_kernel(150e-6, 130e-6) == ()
    assert beside_the_kernel(10e-6, 2e-6) == (), "cold caches"
    assert beside_the_kernel(1e-6, 15e-6) == (), "a launch's own start"
    assert beside_the_kernel(4e-3, 10e-6) == (), "a page fault is no start-up"


def test_code_for_another_architecture_is_named_as_such() -> None:
    driver = failure_of(Exception("CUDA_ERROR_NO_BINARY_FOR_GPU: no kernel image is available"))
    runtime = failure_of(Exception("cudaErrorNoKernelImageForDevice: no kernel image is available"))
    for failure in (driver, runtime):
        assert "no kernel image for this GPU" in failure.message
        assert "-arch" in failure.message
