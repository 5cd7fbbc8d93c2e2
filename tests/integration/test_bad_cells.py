"""A cell that cannot be measured says why, and the others go on; a request that cannot be is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.domain.child_messages import Plan, StopRule
from app.domain.measurement import CellKey
from app.domain.size import Size
from app.domain.vocabulary import BackendName, CellStatus, Dtype
from app.kernels import registry
from app.storage.store import Store
from tests import examples
from tests.integration.service import roofladder
from tests.measuring_child import ROOT, outcomes, run

FOLDERS = {"ROOFLADDER_PROBLEM_FOLDERS": str(ROOT / "tests" / "problems")}
QUICK = StopRule(min_samples=5, min_total_s=0.0, ci_width_fraction=0.5, max_samples=10, max_total_s=0.1)


def test_a_size_past_memory_or_outside_the_contract_leaves_the_others_measured(tmp_path: Path) -> None:
    cells = (
        CellKey("walks", "gather", Size.of(n=1 << 40, step=1), Dtype.FLOAT32),
        CellKey("walks", "gather", Size.of(n=1000, step=4), Dtype.FLOAT32),
        CellKey("walks", "gather_again", Size.of(n=1000, step=1), Dtype.FLOAT32),
        CellKey("walks", "gather", Size.of(n=1000, step=1), Dtype.FLOAT16),
    )
    plan = Plan(BackendName.CPU, cells, brief=QUICK, measure_ceilings=False, cache_dir=str(tmp_path))
    code, told, _ = run(plan)
    by_cell = {m.outcome.key: m.outcome for m in told if hasattr(m, "outcome")}
    assert code == 0
    assert len(outcomes(told)) == 2
    past, outside, good, half = (by_cell[key] for key in cells)
    assert past.status is CellStatus.FAILED
    assert "choose a smaller size" in past.reason
    assert (outside.status, outside.reason) == (CellStatus.SKIPPED, "takes steps below 4")
    assert good.status is CellStatus.MEASURED
    assert half.status is CellStatus.UNSUPPORTED
    assert "has no float16 version" in half.reason


@pytest.mark.parametrize(
    ("sent", "field", "words"),
    [
        (
            {"selection": {"problems": ["matmul", "walks"]}, "sizes": [{"m": 8, "n": 8, "k": 8}]},
            "sizes[0].m",
            "as a size of walks",
        ),
        ({"selection": {"problems": ["ceilings"]}, "sizes": [{"n": 8}]}, "selection.problems[0]", "ceilings"),
        (
            {"selection": {"problems": ["walks"]}, "sizes": [{"n": 1000, "step": 0}]},
            "sizes[0].step",
            "from 1 to 64",
        ),
        (
            {"selection": {"problems": ["copy"], "stages": ["nothing"]}, "backend": "cpu"},
            "selection.stages[0]",
            "on cpu",
        ),
    ],
)
def test_a_request_that_cannot_be_names_the_field(
    client: TestClient, store: Store, sent: dict[str, object], field: str, words: str
) -> None:
    registry.add_folder(ROOT / "tests" / "problems")
    store.put_worker(examples.cpu_worker())
    response = client.post("/api/v1/jobs", json=sent)
    body = response.json()
    assert response.status_code == 422
    assert body["field"] == field
    assert words in body["detail"]


def test_an_experiment_is_measured_by_name_at_sizes_of_ones_own(client: TestClient, store: Store) -> None:
    registry.add_folder(ROOT / "tests" / "problems")
    store.put_worker(examples.cpu_worker())
    sent = {"selection": {"problems": ["walks"]}, "sizes": [{"n": 500, "step": 3}, {"step": 2, "n": 500}]}
    job = client.post("/api/v1/jobs", json=sent).json()
    assert job["selection"]["sizes"] == [{"n": 500, "step": 3}, {"n": 500, "step": 2}]
    assert job["progress"]["total"] == 4


def test_a_suite_runs_from_the_command_line_and_travels_as_a_capsule(tmp_path: Path) -> None:
    here, there, capsule = tmp_path / "here", tmp_path / "there", tmp_path / "lab.zip"
    variables = FOLDERS | {"ROOFLADDER_FIRST_BENCHMARK": "0"}
    measured = roofladder(here, "run", "--suite", "memory_lab", **variables)
    assert measured.returncode == 0, measured.stdout + measured.stderr
    assert "Walks" in measured.stdout
    assert "takes steps below 4" in measured.stdout
    run_id = re.search(r"run (\d+)", measured.stdout)
    assert run_id is not None
    exported = roofladder(here, "export", run_id[1], str(capsule), **variables)
    assert exported.returncode == 0, exported.stdout + exported.stderr
    brought = roofladder(there, "import", str(capsule), **variables)
    assert brought.returncode == 0, brought.stdout + brought.stderr
    refused = roofladder(here, "run", "--suite", "memory_lab", "--size", "8", **variables)
    assert refused.returncode != 0
    assert "brings its own stages, sizes and dtypes" in refused.stdout + refused.stderr
