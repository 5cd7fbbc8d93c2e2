"""Server-sent events from a real server on a free port."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
import uvicorn

from app.domain.run import JobError
from app.domain.vocabulary import JobStatus
from app.jobs.engine import JobQueue
from app.main import create_app
from app.storage.store import Store
from tests import examples

WAIT_S = 10.0


@dataclass(frozen=True)
class Event:
    kind: str
    id: int
    data: dict[str, Any]


@pytest.fixture
def url(store: Store, queue: JobQueue) -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(create_app(store, queue), log_level="warning", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/api/v1/jobs"
    server.should_exit = True
    thread.join(WAIT_S)
    assert not thread.is_alive()


def events(lines: Iterator[str]) -> Iterator[Event]:
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if line:
            fields[name] = value
        elif "id" in fields:
            yield Event(fields["event"], int(fields["id"]), json.loads(fields["data"]))
            fields = {}
        else:
            fields = {}


def finish(store: Store, job_id: int) -> None:
    store.finish_job(job_id, JobStatus.FAILED, JobError("lost", "The GPU is lost."), datetime.now(UTC))


def test_events_come_live_and_the_stream_ends_with_the_job(url: str, store: Store) -> None:
    job, other = examples.submit(store), examples.submit(store)
    with httpx.stream("GET", f"{url}/{job.id}/events", timeout=WAIT_S) as response:
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert response.headers["cache-control"] == "no-cache"
        assert "content-encoding" not in response.headers
        coming = events(response.iter_lines())
        assert next(coming).data["status"] == "queued"
        sent_at = time.monotonic()
        store.start_job(job.id, datetime.now(UTC))
        store.add_events(other.id, [("log", {"text": "of the other job"})])
        assert next(coming).data["status"] == "running"
        assert time.monotonic() - sent_at < 5, "live, not with the next keep-alive"
        finish(store, job.id)
        last = next(coming)
        assert (last.kind, last.data["status"]) == ("status", "failed")
        assert last.data["error"] == {"code": "lost", "message": "The GPU is lost."}
        assert next(coming, None) is None


def test_progress_is_thinned_and_the_rest_is_not(url: str, store: Store) -> None:
    job = examples.submit(store)
    progress: list[tuple[str, dict[str, object]]] = [
        ("progress", {"done": i, "total": 100}) for i in range(100)
    ]
    store.add_events(job.id, [*progress, ("log", {"text": "one"}), ("log", {"text": "two"})])
    finish(store, job.id)
    with httpx.stream("GET", f"{url}/{job.id}/events", timeout=WAIT_S) as response:
        found = list(events(response.iter_lines()))
    assert [event.kind for event in found] == ["status", "progress", "log", "log", "status"]
    assert found[1].data["done"] == 99
    assert [event.id for event in found] == sorted(event.id for event in found)


def test_a_broken_stream_goes_on_where_it_was(url: str, store: Store) -> None:
    job = examples.submit(store)
    store.add_events(job.id, [("log", {"text": str(i)}) for i in range(600)])
    first = f"{url}/{job.id}/events"
    with httpx.stream("GET", first, timeout=WAIT_S) as response:
        coming = events(response.iter_lines())
        seen = [next(coming) for _ in range(5)]
    finish(store, job.id)
    with httpx.stream("GET", first, headers={"Last-Event-ID": str(seen[-1].id)}, timeout=WAIT_S) as response:
        seen += events(response.iter_lines())
    assert [event.data["text"] for event in seen if event.kind == "log"] == [str(i) for i in range(600)]


def test_nothing_left_tells_the_browser_to_stop(url: str, store: Store) -> None:
    job = examples.submit(store)
    finish(store, job.id)
    last = str(store.latest_event_id())
    response = httpx.get(f"{url}/{job.id}/events", headers={"Last-Event-ID": last})
    assert (response.status_code, response.content) == (204, b"")


def test_unknown_jobs_and_wrong_event_ids(url: str, store: Store) -> None:
    job = examples.submit(store)
    assert httpx.get(f"{url}/99/events").status_code == 404
    wrong = httpx.get(f"{url}/{job.id}/events", headers={"Last-Event-ID": "x"})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "Last-Event-ID")


def test_one_poller_serves_many_listeners(url: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten open streams ask the database no more often than one does."""
    job = examples.submit(store)
    polls = 0
    read = store.events

    def counted(*, after_id: int, job_id: int | None = None, limit: int = 500) -> Any:
        nonlocal polls
        polls += job_id is None
        return read(after_id=after_id, job_id=job_id, limit=limit)

    monkeypatch.setattr(store, "events", counted)
    opened = [httpx.Client(timeout=WAIT_S) for _ in range(10)]
    streams = [
        client.send(client.build_request("GET", f"{url}/{job.id}/events"), stream=True) for client in opened
    ]
    polls, started_at = 0, time.monotonic()
    time.sleep(1)
    finish(store, job.id)
    kinds = [[event.data["status"] for event in events(stream.iter_lines())] for stream in streams]
    elapsed_s = time.monotonic() - started_at
    for client in opened:
        client.close()
    assert kinds == [["queued", "failed"]] * 10
    assert polls <= 4 * elapsed_s + 2


def test_an_oversize_stream_without_length_is_refused(url: str) -> None:
    chunks = (b"x" * 65536 for _ in range(64))
    response = httpx.post(url, content=chunks, headers={"Content-Type": "application/json"}, timeout=WAIT_S)
    assert (response.status_code, response.json()["code"]) == (413, "too_large")
