"""Every page in each of its states, rendered by the whole application over a real store."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from app.domain.vocabulary import CellStatus
from app.storage.store import Store
from tests import examples, ladders

PAGES = ("/", "/ladders", "/ladders/matmul", "/runs", "/jobs", "/machine", "/search?q=tile")
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def filled(store: Store) -> Store:
    """A worker, an imported run (1) and an own run (2) in which one stage is wrong and one failed."""
    store.put_worker(ladders.worker())
    store.import_run(*ladders.gpu_run())
    run, samples = ladders.cpu_run((512,))
    run = ladders.without(run, "cache_blocked", CellStatus.WRONG_RESULT, "Largest relative error 0.41.")
    run = ladders.without(run, "threaded", CellStatus.FAILED, "illegal address at block (31, 0)")
    run = replace(run, summary=replace(run.summary, label=HOSTILE))
    ladders.keep_own(store, run, ladders.samples_of(run, samples))
    return store


@pytest.mark.parametrize("path", PAGES)
def test_pages_of_an_empty_database(client: TestClient, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    assert '<main id="main"' in response.text
    assert "Skip to content" in response.text


@pytest.mark.parametrize(
    "path",
    [
        *PAGES,
        "/?source=imported",
        "/runs/1",
        "/runs/1?size=m=1024,n=1024,k=1024&cache=warm",
        "/runs/2",
        "/runs/2?tab=samples",
        "/runs/2?tab=environment",
        "/runs/2?tab=log",
        "/runs/2?level=no_cache&warm=true&axis=log",
        "/runs/1/stages/naive",
        "/runs/2/stages/threaded",
        "/runs/2/stages/blas",
        "/jobs/1",
        "/runs?text=synthetic&kind=imported",
        "/runs?device=nothing+like+it",
    ],
)
def test_pages_with_runs(client: TestClient, filled: Store, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    assert HOSTILE not in response.text


def test_unknown_words_in_the_query_show_the_runs_own_first_choice(client: TestClient, filled: Store) -> None:
    asked = "/runs/1?size=nonsense&dtype=float1&cache=tepid&tab=secret&problem=unknown"
    assert "double_buffer" in client.get(asked).text


@pytest.mark.parametrize(
    "path", ["/nothing", "/runs/99", "/runs/1/stages/nothing", "/jobs/77", "/ladders/nothing"]
)
def test_what_does_not_exist_is_a_page_that_says_so(client: TestClient, filled: Store, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert "Stored runs and running jobs are not affected." in response.text
    assert response.headers["x-request-id"] in response.text


def test_failed_and_wrong_stages_stay_in_place_with_their_reason(client: TestClient, filled: Store) -> None:
    text = client.get("/runs/2").text
    assert "illegal address at block (31, 0)" in text
    assert "wrong result: not timed" in text
    assert "A wrong kernel has no speed" in client.get("/").text


def test_the_busiest_loop_is_shown_or_how_to_capture_it(client: TestClient, store: Store) -> None:
    run, samples = ladders.gpu_run()
    known, unknown = (replace(examples.COMPILER, loop=loop) for loop in (examples.COMPILER.loop, None))
    by_stage = {"register_tile": known, "naive": unknown}
    measured = [replace(m, compiler=by_stage.get(m.key.stage)) for m in run.measurements]
    store.import_run(replace(run, measurements=tuple(measured)), samples)
    text = client.get("/runs/1/stages/register_tile").text
    assert "545 instructions: 512\u202fFFMA, 24\u202fLDS" in text
    assert "130 cycles lost" in text
    assert "no disassembler" not in text
    assert "pip install -e '.[sass]'" in client.get("/runs/1/stages/naive").text


def test_the_overview_without_a_gpu_shows_both_machines(client: TestClient, filled: Store) -> None:
    text = client.get("/").text
    assert "no GPU here" in text
    assert ladders.CPU.name in text
    assert ladders.GPU.name in text
    assert "imported" in text


def test_a_run_is_labelled_tagged_and_deleted(client: TestClient, filled: Store) -> None:
    form = {"label": "baseline", "note": "kept", "tags": "h200, cold , h200"}
    assert client.post("/runs/1", data=form).status_code == 303
    assert filled.run(1).summary.tags == ("h200", "cold")
    assert "baseline" in client.get("/runs?tag=cold").text
    assert client.post("/runs/1/delete").headers["location"] == "/runs"
    assert client.get("/runs/1").status_code == 404


def test_a_job_is_queued_once_and_cancelled(client: TestClient, filled: Store) -> None:
    form = {"problem": "matmul", "sizes": "64", "dtype": "float32", "key": "k1", "label": "mine"}
    assert client.post("/jobs", data=form).status_code == 303
    assert client.post("/jobs", data=form).status_code == 303
    [job] = filled.active_jobs()
    assert job.label == "mine"
    assert "mine" in client.get("/jobs").text
    assert client.post(f"/jobs/{job.id}/cancel").status_code == 303
    assert filled.active_jobs() == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sizes": ""}, "No size is given."),
        ({"sizes": "12 apples"}, "is not a size."),
        ({"sizes": "1x2"}, "is not a size."),
        ({"sizes": "0"}, "sizes[0].m is 0"),
        ({"sizes": "999999999"}, "sizes[0].m is 999999999"),
        ({"deadline_s": "soon"}, "Give the deadline as a number"),
        ({"deadline_s": "nan"}, "deadline_s"),
        ({"dtype": "float1"}, "is not known"),
        ({"label": "x" * 10_000}, "over the limit of 200"),
    ],
)
def test_a_mistake_in_the_form_is_said_and_stores_nothing(
    client: TestClient, filled: Store, changes: dict[str, str], said: str
) -> None:
    form = {"problem": "matmul", "sizes": "64", "dtype": "float32", "deadline_s": "600"} | changes
    answer = client.post("/jobs", data=form)
    assert answer.status_code in (413, 422)
    assert said in answer.text
    assert filled.active_jobs() == []


def test_the_form_previews_its_cost(client: TestClient, filled: Store) -> None:
    form = {"problem": "matmul", "sizes": "64, 128", "dtype": "float32"}
    text = client.post("/jobs/cost", data=form).text
    assert "28 measurements" in text
    assert "starts at once" in text


def test_run_again_queues_the_same_selection(client: TestClient, filled: Store) -> None:
    answer = client.post("/runs/2/again")
    [job] = filled.active_jobs()
    assert answer.headers["location"] == f"/runs/{job.run_id}"
    assert job.selection == filled.run(2).selection


def test_a_capsule_is_imported_once_and_shown(client: TestClient, filled: Store) -> None:
    capsule = client.get("/api/v1/runs/2/capsule").content
    filled.delete_run(2)
    first = client.post("/runs/import", files={"file": ("run.zip", capsule)})
    again = client.post("/runs/import", files={"file": ("run.zip", capsule)})
    assert first.headers["location"] == again.headers["location"]
    assert "imported" in client.get(first.headers["location"]).text
    broken = client.post("/runs/import", files={"file": ("run.zip", b"PK no")})
    assert broken.status_code == 422
    assert "Stored runs and running jobs are not affected." in broken.text


def test_search_jumps_to_a_run_by_number(client: TestClient, filled: Store) -> None:
    assert client.get("/search?q=2").headers["location"] == "/runs/2"


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere"])
def test_the_theme_is_kept_and_never_leads_elsewhere(client: TestClient, back: str) -> None:
    answer = client.post("/theme", data={"theme": "dark", "back": back})
    assert answer.headers["location"] == "/"
    assert 'data-theme="dark"' in client.get("/").text


def test_no_template_has_scripts_or_styles_inline(client: TestClient, filled: Store) -> None:
    for path in (*PAGES, "/runs/2", "/runs/2/stages/naive"):
        text = client.get(path).text
        assert " style=" not in text
        assert "<style" not in text
        assert " onclick=" not in text
        assert all("src=" in tag for tag in text.split("<script")[1:])
