"""A suite is one job over several problems at their own sizes: submitted, measured, killed and resumed."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.domain.run import Selection
from app.domain.size import Size
from app.domain.vocabulary import BackendName, CacheState, CellStatus, Dtype, JobStatus
from app.jobs.engine import JobQueue
from app.kernels import registry
from app.kernels.cells import cells_of, measurement_count
from app.kernels.suites import SUITES
from app.kernels.suites import suite as suite_named
from app.services.live_job import job_title
from app.services.run_again import run_again
from app.storage.store import Store
from app.web.commands import cli_command, job_body
from tests import examples
from tests.integration.worker_process import WorkerProcess

PROBLEMS = Path(__file__).parents[1] / "problems"
WALKS = Selection(problems=("walks",), stages=None, sizes=(), dtypes=(), backend=BackendName.CPU)


@pytest.fixture(autouse=True)
def _walks() -> None:
    registry.add_folder(PROBLEMS)


def test_a_suite_unfolds_into_every_problems_own_sizes() -> None:
    cells = cells_of(WALKS)
    assert [(c.stage, c.size["step"]) for c in cells] == [
        ("gather", 1),
        ("gather_again", 1),
        ("gather", 2),
        ("gather_again", 2),
        ("gather", 4),
        ("gather_again", 4),
    ]


def test_a_suite_is_asked_for_by_name(client: TestClient, store: Store) -> None:
    store.put_worker(examples.cpu_worker())
    response = client.post("/api/v1/jobs", json={"suite": "memory_lab", "backend": "cpu"})
    job = response.json()
    assert response.status_code == 202, job
    assert job["selection"]["problems"] == ["walks"]
    assert job["selection"]["sizes"] == []
    assert job["progress"]["total"] == 6
    assert client.get(f"/jobs/{job['id']}").status_code == 200
    assert client.get(f"/runs/{job['run_id']}").status_code == 200


def test_the_form_offers_every_suite_and_queues_one(client: TestClient, store: Store) -> None:
    store.put_worker(examples.cpu_worker())
    html = client.get("/jobs?suite=memory_lab").text
    for suite in SUITES:
        assert f'value="{suite.name}" data-suite' in html
    count = len(suite_named("memory_lab").problems)
    assert f"data-suite selected>Memory lab · 1 of {count} problems run here<" in html
    assert "Diagnosis pairs · needs a GPU" in html
    form = {"problem": "memory_lab", "sizes": "", "dtype": "float32", "label": "from the form"}
    assert ">4 measurements" in client.post("/jobs/cost", data=form).text
    assert client.post("/jobs", data=form).status_code == 303
    [job] = store.active_jobs()
    assert (job.label, job.selection.problems, job.selection.sizes) == ("from the form", ("walks",), ())
    assert job.progress.total == 6


def test_a_suite_that_this_machine_cannot_run_is_said_under_the_field(
    client: TestClient, store: Store
) -> None:
    store.put_worker(examples.cpu_worker())
    answer = client.post("/jobs", data={"problem": "diagnosis_pairs"})
    assert answer.status_code == 422
    assert 'id="wrong-problem">The suite diagnosis_pairs has no cpu stage' in answer.text
    assert store.active_jobs() == []


def test_no_ladder_is_called_like_a_suite() -> None:
    assert not {suite.name for suite in SUITES} & set(registry.problems())


def test_measurements_are_cells_in_the_cache_states_that_their_problem_is_measured_in() -> None:
    """A cell in both states counts twice, one outside its stage's contract not at all."""
    both = Selection(("matmul",), None, (Size.of(m=64, n=64, k=64),), (Dtype.FLOAT32,), BackendName.CPU)
    assert measurement_count(both) == 2 * len(cells_of(both))
    assert measurement_count(WALKS) == 4
    copies = Selection(("copy",), None, (Size.of(n=32_001),), (), BackendName.CUDA)
    assert measurement_count(copies) == len(cells_of(copies)) - 1


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"suite": "nothing"}, "memory_lab"),
        ({"suite": "diagnosis_pairs", "backend": "cpu"}, "has no cpu stage"),
        ({"suite": "memory_lab", "sizes": [{"n": 1, "step": 1}]}, "its own sizes"),
        ({"suite": "memory_lab", "selection": {"problems": ["walks"]}}, "either selection or suite"),
        ({}, "either selection or suite"),
        ({"selection": {"problems": ["matmul"]}}, "sizes is empty and matmul has none"),
    ],
)
def test_a_bad_suite_is_refused_in_words(
    client: TestClient, store: Store, sent: dict[str, object], words: str
) -> None:
    store.put_worker(examples.cpu_worker())
    response = client.post("/api/v1/jobs", json=sent)
    assert response.status_code == 422
    assert words in response.json()["detail"]
    assert client.get("/api/v1/jobs").json()["items"] == []


def test_a_suite_run_is_repeated_with_its_own_command(
    client: TestClient, store: Store, queue: JobQueue
) -> None:
    store.put_worker(examples.cpu_worker())
    job = client.post("/api/v1/jobs", json={"suite": "memory_lab"}).json()
    run = store.run(job["run_id"])
    assert cli_command(run) == "roofladder run --suite memory_lab"
    assert job_title(run.selection) == "Memory lab"
    assert run_again(store, queue, run.summary.id).selection == run.selection


def test_the_part_of_a_suite_that_a_cpu_can_run_is_still_that_suite(client: TestClient, store: Store) -> None:
    store.put_worker(examples.cpu_worker())
    job = client.post("/api/v1/jobs", json={"suite": "traps"}).json()
    run = store.run(job["run_id"])
    assert set(run.selection.problems) < {p.name for p in registry.problems().values() if p.kind == "trap"}
    assert cli_command(run) == "roofladder run --suite traps"


@pytest.mark.parametrize("scan", [False, True])
@pytest.mark.parametrize("asked", [{"problems": ["walks"]}, {"problems": ["walks"], "stages": ["gather"]}])
def test_the_request_shown_with_a_run_asks_for_the_same_again(
    client: TestClient, store: Store, asked: dict[str, list[str]], scan: bool
) -> None:
    store.put_worker(examples.cpu_worker())
    first = client.post("/api/v1/jobs", json={"selection": asked, "scan": scan}).json()
    assert first["selection"]["scan"] is scan
    body = job_body(store.run(first["run_id"]).selection, "again")
    again = client.post("/api/v1/jobs", json=body)
    assert again.status_code == 202, again.text
    assert again.json()["selection"] == first["selection"]


def test_a_suite_killed_in_mid_job_goes_on_and_measures_the_rest(tmp_path: Path) -> None:
    """Real worker and child; the steps that a stage does not take end with its words."""
    worker = WorkerProcess(tmp_path, scripted=False)
    try:
        job = worker.submit([], selection=WALKS, cell_count=6, enqueue=False)
        worker.store.add_ceiling(job.run_id, examples.ceiling())  # spares the roofs' micro-benchmarks
        worker.start()
        worker.wait_for_event(job, "cell", "'done'", seconds=60)
        worker.kill()
        worker.start()
        job = worker.wait(job, seconds=60)
        run = worker.store.run(job.run_id)
    finally:
        worker.close()
    assert job.status is JobStatus.FINISHED
    assert job.attempts == 2
    fates = {(o.key.stage, o.key.size["step"]): (o.status, o.reason) for o in run.outcomes}
    assert len(fates) == 6
    assert fates["gather", 4] == (CellStatus.SKIPPED, "takes steps below 4")
    assert {fates[stage, step][0] for stage in ("gather", "gather_again") for step in (1, 2)} == {
        CellStatus.MEASURED
    }
    assert {m.cache for m in run.measurements} == {CacheState.WARM}
    assert len(run.measurements) == 4
