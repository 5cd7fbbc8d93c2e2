"""The traps on a real GPU: each is caught with the right words, and the hang is ended from outside."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep

import pytest
from pydantic import TypeAdapter

from app.domain.child_messages import Measured, Plan
from app.domain.measurement import CellKey
from app.domain.vocabulary import BackendName, CellStatus, Dtype, Health, ProblemKind
from app.kernels import registry
from app.kernels.stage import Stage
from tests.measuring_child import outcomes, run, start

pytestmark = pytest.mark.gpu
HUNG_AFTER_S = 15.0

STAGES: dict[CellKey, Stage] = {
    CellKey(problem.name, stage.name, problem.suite_sizes[0], Dtype.FLOAT32): stage
    for problem in registry.problems().values()
    if problem.kind is ProblemKind.TRAP
    for stage in registry.stages(problem.name, BackendName.CUDA)
}


def plan(keys: list[CellKey], cache_dir: Path) -> Plan:
    return Plan(BackendName.CUDA, tuple(keys), measure_ceilings=False, cache_dir=str(cache_dir))


@pytest.fixture(scope="module", autouse=True)
def _a_gpu() -> None:
    pytest.importorskip("app.backends.cuda", exc_type=ImportError)


def test_each_trap_but_the_hang_ends_with_its_words(tmp_path: Path) -> None:
    keys = [key for key, stage in STAGES.items() if not (stage.trap and stage.trap.deadline_s)]
    code, told, errors = run(plan(keys, tmp_path))
    assert code == 0, errors
    found = outcomes(told)
    measured = {m.measurement.key: m.measurement for m in told if isinstance(m, Measured)}
    for key in keys:
        trap = STAGES[key].trap
        status, reason = found[key.stage]
        assert status is (trap.status if trap else CellStatus.MEASURED), f"{key.stage}: {reason}"
        if trap is not None and trap.status is not CellStatus.MEASURED:
            assert trap.says in reason
    for name in ("no_synchronisation", "first_launch"):
        key = next(key for key in keys if key.stage == name)
        trap = STAGES[key].trap
        assert trap is not None
        assert measured[key].health is Health.QUARANTINED
        assert trap.says in " ".join(measured[key].health_reasons)


def test_an_unpadded_tile_is_right_and_slower_than_the_padded_one(tmp_path: Path) -> None:
    keys = [key for key in STAGES if key.problem == "trap_tile"]
    _, told, _ = run(plan(keys, tmp_path))
    median_s = {m.measurement.key.stage: m.measurement.median_s for m in told if isinstance(m, Measured)}
    assert median_s["unpadded_tile"] > 1.2 * median_s["padded_tile"]


def test_a_barrier_in_a_divergent_branch_hangs_and_the_gpu_is_well_afterwards(tmp_path: Path) -> None:
    hangs = next(key for key in STAGES if key.stage == "divergent_barrier")
    child = start(TypeAdapter(Plan).dump_json(plan([hangs], tmp_path)))
    until = monotonic() + HUNG_AFTER_S
    while monotonic() < until and child.poll() is None:
        sleep(0.5)
    assert child.poll() is None, "the launch came to an end"
    child.kill()
    child.wait(timeout=30)
    good = next(key for key in STAGES if key.stage == "padded_tile")
    _, told, _ = run(plan([good], tmp_path))
    assert outcomes(told)["padded_tile"][0] is CellStatus.MEASURED
