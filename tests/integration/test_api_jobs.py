"""Jobs over REST: what is taken, what is refused and why, idempotency, pages, cancelling."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.domain.vocabulary import JobStatus
from app.jobs.engine import JobQueue
from app.main import create_app
from app.storage.database import open_store
from app.storage.sqlite_engine import sqlite_module
from app.storage.store import Store
from tests import examples

URL = "/api/v1/jobs"


def body(**changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "kind": "benchmark",
        "selection": {"problems": ["matmul"], "stages": None},
        "sizes": [{"m": 64, "n": 64, "k": 64}],
        "dtypes": ["float32"],
        "backend": "cpu",
        "label": "a label",
        "deadline_s": 600,
    }
    return values | changes


def choose(**selection: Any) -> dict[str, Any]:
    return body(selection={"problems": ["matmul"], "stages": None} | selection)


@pytest.fixture(autouse=True)
def worker(store: Store) -> None:
    store.put_worker(examples.cpu_worker())


def test_a_good_job_is_queued(client: TestClient, store: Store) -> None:
    response = client.post(URL, json=body(backend="auto"))
    job = response.json()
    assert response.status_code == 202
    assert response.headers["location"] == f"{URL}/{job['id']}"
    assert (job["status"], job["queue_position"], job["starts_in_s"]) == ("queued", 1, 0.0)
    assert job["selection"]["backend"] == "cpu"
    assert job["progress"] == {"done": 0, "total": job["progress"]["total"], "cell": None, "eta_s": None}
    assert job["progress"]["total"] >= 4
    assert job["error"] is None
    assert 0 < job["estimate_s"] < 600
    assert client.get(response.headers["location"]).json()["id"] == job["id"]
    assert client.get(f"/api/v1/runs/{job['run_id']}").json()["status"] == "queued"
    second = client.post(URL, json=body()).json()
    assert second["queue_position"] == 2
    assert second["starts_in_s"] == pytest.approx(job["estimate_s"])


MANY = [{"m": i + 1, "n": 64, "k": 64} for i in range(10_000)]
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "unknown problem": (choose(problems=["nothing"]), "selection.problems[0]"),
    "a problem that is no ladder": (choose(problems=["ceilings"]), "selection.problems[0]"),
    "no problem": (choose(problems=[]), "selection.problems"),
    "problem twice": (choose(problems=["matmul", "matmul"]), "selection.problems[1]"),
    "unknown stage": (choose(stages=["nothing"]), "selection.stages[0]"),
    "a stage of the other backend": (choose(stages=["coalesced"]), "selection.stages[0]"),
    "stage twice": (choose(stages=["naive", "naive"]), "selection.stages[1]"),
    "no stage": (choose(stages=[]), "selection.stages"),
    "unknown dtype": (body(dtypes=["float128"]), "dtypes[0]"),
    "a dtype the problem lacks": (body(dtypes=["bfloat16"]), "dtypes[0]"),
    "dtype twice": (body(dtypes=["float32", "float32"]), "dtypes[1]"),
    "no dtype": (body(dtypes=[]), "dtypes"),
    "no size": (body(sizes=[]), "sizes"),
    "10^4 sizes": (body(sizes=MANY), "sizes"),
    "size twice": (body(sizes=[{"m": 8, "n": 8, "k": 9}, {"k": 9, "n": 8, "m": 8}]), "sizes[1]"),
    "size zero": (body(sizes=[{"m": 0, "n": 64, "k": 64}]), "sizes[0].m"),
    "size negative": (body(sizes=[{"m": 64, "n": -1, "k": 64}]), "sizes[0].n"),
    "size a fraction": (body(sizes=[{"m": 64, "n": 64, "k": 1.5}]), "sizes[0].k"),
    "size a text": (body(sizes=[{"m": "64", "n": 64, "k": 64}]), "sizes[0].m"),
    "size a truth": (body(sizes=[{"m": True, "n": 64, "k": 64}]), "sizes[0].m"),
    "size null": (body(sizes=[{"m": None, "n": 64, "k": 64}]), "sizes[0].m"),
    "size over the range": (body(sizes=[{"m": 2**31 - 1, "n": 64, "k": 64}]), "sizes[0].m"),
    "size over 64 bits": (body(sizes=[{"m": 10**30, "n": 64, "k": 64}]), "sizes[0].m"),
    "size without k": (body(sizes=[{"m": 64, "n": 64}]), "sizes[0].k"),
    "size with a stranger": (body(sizes=[{"m": 64, "n": 64, "k": 64, "z": 1}]), "sizes[0].z"),
    "a backend nobody drives": (body(backend="cuda"), "backend"),
    "unknown backend": (body(backend="abacus"), "backend"),
    "unknown kind": (body(kind="dance"), "kind"),
    "label of 10 kB": (body(label="x" * 10_000), "label"),
    "label with a control character": (body(label="a\x00b"), "label"),
    "label that turns the text around it": (body(label="a\u202eb"), "label"),
    "deadline zero": (body(deadline_s=0), "deadline_s"),
    "deadline a text": (body(deadline_s="600"), "deadline_s"),
    "deadline too far": (body(deadline_s=1e9), "deadline_s"),
    "deadline too short": (body(deadline_s=1), "deadline_s"),
    "unknown field": (body(colour="red"), "colour"),
    "not an object": ([], "body"),  # type: ignore[dict-item]
}


def nothing_stored(client: TestClient) -> bool:
    lists = (client.get(url).json()["items"] for url in (URL, "/api/v1/runs"))
    return not any(lists)


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_names_its_field_and_stores_nothing(client: TestClient, name: str) -> None:
    sent, field = REFUSED[name]
    response = client.post(URL, json=sent)
    problem = response.json()
    assert response.status_code in (413, 422), problem
    assert problem["field"] == field
    assert (
        "stored" in problem["detail"]
        or "at least one" in problem["detail"]
        or "job would" in problem["detail"]
    )
    assert len(response.content) < 4000
    assert "<" not in problem["detail"]  # no repr of the inside
    assert nothing_stored(client)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('{"sizes": [', "body"),
        ("", "body"),
        ("NaN", "body"),
        ("\xff", "body"),
        ("[" * 100_000, "body"),
        ('{"deadline_s": ' + "9" * 5000 + "}", "body"),
    ],
)
def test_malformed_json_is_named(client: TestClient, text: str, field: str) -> None:
    headers = {"Content-Type": "application/json"}
    response = client.post(URL, content=text.encode("latin-1"), headers=headers)
    assert response.status_code in (400, 422)
    assert response.json()["field"] == field
    assert nothing_stored(client)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
@pytest.mark.parametrize("field", ["deadline_s", "sizes[0].m"])
def test_numbers_that_are_none_are_refused(client: TestClient, number: str, field: str) -> None:
    sent = body(deadline_s="#") if field == "deadline_s" else body(sizes=[{"m": "#", "n": 64, "k": 64}])
    text = json.dumps(sent).replace('"#"', number)
    response = client.post(URL, content=text, headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()["field"]) == (422, field)
    assert nothing_stored(client)


def test_a_size_too_big_for_the_memory_is_refused(client: TestClient, store: Store) -> None:
    store.put_worker(examples.cpu_worker(memory_bytes=2**20))
    response = client.post(
        URL, json=body(sizes=[{"m": 64, "n": 64, "k": 64}, {"m": 512, "n": 512, "k": 512}])
    )
    assert (response.status_code, response.json()["field"]) == (422, "sizes[1]")
    assert "GiB" in response.json()["detail"]
    assert nothing_stored(client)


def test_a_short_deadline_is_refused_with_the_estimate(client: TestClient) -> None:
    problem = client.post(URL, json=body(deadline_s=1)).json()
    assert problem["code"] == "deadline_too_short"
    assert "estimated at" in problem["detail"]


def test_without_a_worker_auto_waits_and_a_named_backend_is_taken(tmp_path: Path, queue: JobQueue) -> None:
    fresh = open_store(f"sqlite:///{tmp_path / 'fresh.db'}")
    web = TestClient(create_app(fresh, queue), base_url="http://127.0.0.1")
    refused = web.post(URL, json=body(backend="auto"))
    assert (refused.status_code, refused.json()["field"]) == (503, "backend")
    assert refused.headers["retry-after"] == "5"
    assert web.post(URL, json=body(backend="cpu")).status_code == 202
    fresh.close()


class TestIdempotency:
    def test_the_same_request_is_the_same_job(self, client: TestClient) -> None:
        headers = {"Idempotency-Key": "key-1"}
        first = client.post(URL, json=body(), headers=headers)
        again = client.post(URL, json=body(), headers=headers)
        assert (first.status_code, again.status_code) == (202, 200)
        assert first.json()["id"] == again.json()["id"]
        assert again.headers["location"] == first.headers["location"]
        assert len(client.get(URL).json()["items"]) == 1

    def test_what_was_accepted_is_not_refused_when_it_is_sent_again(
        self, client: TestClient, store: Store
    ) -> None:
        headers = {"Idempotency-Key": "key-1"}
        first = client.post(URL, json=body(), headers=headers)
        store.put_worker(examples.cpu_worker(memory_bytes=1))  # the same request would not fit any more
        assert client.post(URL, json=body()).status_code == 422
        again = client.post(URL, json=body(), headers=headers)
        assert (again.status_code, again.json()["id"]) == (200, first.json()["id"])

    def test_another_body_is_refused(self, client: TestClient) -> None:
        headers = {"Idempotency-Key": "key-1"}
        client.post(URL, json=body(), headers=headers)
        other = client.post(URL, json=body(label="other"), headers=headers)
        assert (other.status_code, other.json()["field"]) == (422, "Idempotency-Key")
        assert other.json()["code"] == "idempotency_mismatch"
        assert len(client.get(URL).json()["items"]) == 1

    def test_no_key_means_another_job(self, client: TestClient) -> None:
        assert client.post(URL, json=body()).json()["id"] != client.post(URL, json=body()).json()["id"]

    @pytest.mark.parametrize("key", ["", "   ", "k" * 201])
    def test_a_bad_key_is_refused(self, client: TestClient, key: str) -> None:
        response = client.post(URL, json=body(), headers={"Idempotency-Key": key})
        assert response.status_code in (413, 422)
        assert response.json()["field"] == "Idempotency-Key"


class TestLists:
    def test_pages_are_newest_first_and_complete(self, client: TestClient, store: Store) -> None:
        for _ in range(7):
            examples.submit(store)
        seen: list[int] = []
        address: str | None = f"{URL}?limit=3&status=queued"
        while address is not None:
            page = client.get(address).json()
            assert len(page["items"]) <= 3
            seen += [job["id"] for job in page["items"]]
            address = page["next"]
        assert seen == [7, 6, 5, 4, 3, 2, 1]

    def test_default_is_fifty(self, client: TestClient, store: Store) -> None:
        for _ in range(51):
            examples.submit(store)
        page = client.get(URL).json()
        assert len(page["items"]) == 50
        assert [job["id"] for job in client.get(page["next"]).json()["items"]] == [1]

    @pytest.mark.parametrize("url", [URL, "/api/v1/runs"])
    @pytest.mark.parametrize(
        "query", ["limit=0", "limit=201", "limit=x", "limit=-1", "cursor=!!", "cursor=MA==", "cursor=é"]
    )
    def test_bad_limits_and_cursors_are_named(self, client: TestClient, url: str, query: str) -> None:
        response = client.get(f"{url}?{query}")
        assert (response.status_code, response.json()["field"]) == (422, query.partition("=")[0])

    def test_status_filters(self, client: TestClient, store: Store) -> None:
        job = examples.submit(store)
        store.finish_job(job.id, JobStatus.FINISHED, None, datetime.now(UTC))
        assert [one["id"] for one in client.get(f"{URL}?status=finished").json()["items"]] == [job.id]
        assert client.get(f"{URL}?status=queued").json()["items"] == []
        assert client.get(f"{URL}?status=odd").json()["field"] == "status"


@pytest.mark.parametrize("kind", ["jobs", "runs"])
@pytest.mark.parametrize(
    ("name", "status"), [("999", 404), ("0", 422), ("-1", 422), ("x", 422), ("1e3", 422), ("9" * 30, 422)]
)
def test_wrong_ids(client: TestClient, kind: str, name: str, status: int) -> None:
    response = client.get(f"/api/v1/{kind}/{name}")
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"


class TestCancel:
    def test_a_queued_job_is_cancelled_at_once_with_its_run(self, client: TestClient) -> None:
        job = client.post(URL, json=body()).json()
        response = client.post(f"{URL}/{job['id']}/cancel")
        assert (response.status_code, response.json()["status"]) == (202, "cancelled")
        assert client.get(f"/api/v1/runs/{job['run_id']}").json()["status"] == "cancelled"

    def test_a_job_that_is_over_is_409(self, client: TestClient) -> None:
        job = client.post(URL, json=body()).json()
        client.post(f"{URL}/{job['id']}/cancel")
        again = client.post(f"{URL}/{job['id']}/cancel")
        assert (again.status_code, again.json()["code"]) == (409, "conflict")

    def test_a_running_job_stays_running_until_the_worker_has_stopped_it(
        self, client: TestClient, store: Store
    ) -> None:
        job = client.post(URL, json=body()).json()
        store.start_job(job["id"], datetime.now(UTC))
        assert client.post(f"{URL}/{job['id']}/cancel").json()["status"] == "running"

    def test_an_unknown_job_is_404(self, client: TestClient) -> None:
        assert client.post(f"{URL}/99/cancel").status_code == 404


def test_a_locked_database_is_one_clear_line(
    tmp_path: Path, migrated_database: Path, queue: JobQueue
) -> None:
    path = shutil.copy(migrated_database, tmp_path / "locked.db")
    store = open_store(f"sqlite:///{path}", busy_timeout_s=0.1)
    store.put_worker(examples.cpu_worker())
    web = TestClient(create_app(store, queue), base_url="http://127.0.0.1")
    # The product's own driver: two SQLite libraries in one process do not see each other's locks.
    with closing(sqlite_module().connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        response = web.post(URL, json=body())
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")
    assert "locked" in response.json()["detail"]
    assert response.headers["retry-after"] == "5"
    assert web.post(URL, json=body()).status_code == 202
    store.close()
