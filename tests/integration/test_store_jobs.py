from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.domain.errors import ConflictError, IdempotencyMismatchError, NotFoundError
from app.domain.run import JobError, Progress
from app.domain.vocabulary import JobStatus, RunStatus
from app.storage.store import Store
from tests.examples import AT, selection, submit


def test_a_job_is_created_with_its_run(store: Store) -> None:
    job = submit(store)

    assert (job.id, job.run_id, job.status, job.queue_position) == (1, 1, JobStatus.QUEUED, 1)
    assert store.job(job.id) == job
    assert job.selection == selection()
    assert job.progress == Progress(0, 12)
    run = store.run(job.run_id)
    assert run.summary.job_id == job.id
    assert run.summary.status is RunStatus.QUEUED
    assert run.summary.problems == ("matmul",)
    assert run.selection == selection()


def test_the_same_key_gives_the_same_job_and_another_body_is_refused(store: Store) -> None:
    first = submit(store, idempotency_key="k", request_sha256="a")
    again = submit(store, idempotency_key="k", request_sha256="a")
    assert again == first
    with pytest.raises(IdempotencyMismatchError, match="job 1"):
        submit(store, idempotency_key="k", request_sha256="b")
    assert len(store.jobs()) == len(store.runs()) == 1


def test_many_threads_with_one_key_make_one_job(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        ids = {job.id for job in pool.map(lambda _: submit(store, idempotency_key="k"), range(16))}
    assert ids == {1}


def test_states_are_mirrored_on_the_run_and_told_as_events(store: Store) -> None:
    job = submit(store)
    started = store.start_job(job.id, AT)
    assert (started.status, started.attempts, started.started_at) == (JobStatus.RUNNING, 1, AT)
    assert store.start_job(job.id, AT).attempts == 2
    assert store.run(job.run_id).summary.status is RunStatus.RUNNING

    error = JobError("deadline", "It took too long.")
    assert store.finish_job(job.id, JobStatus.FAILED, error, AT) is True
    assert store.finish_job(job.id, JobStatus.CANCELLED, None, AT) is False
    final = store.job(job.id)
    assert (final.status, final.error, final.finished_at) == (JobStatus.FAILED, error, AT)
    assert store.run(job.run_id).summary.error == error
    with pytest.raises(ConflictError, match="failed already"):
        store.start_job(job.id, AT)
    assert [event.data["status"] for event in store.events(after_id=0)] == [
        "queued",
        "running",
        "running",
        "failed",
    ]


def test_progress_is_kept_until_the_job_ends(store: Store) -> None:
    job = submit(store)
    store.start_job(job.id, AT)
    store.set_progress(job.id, Progress(3, 12, "matmul naive", 4.5))
    assert store.job(job.id).progress == Progress(3, 12, "matmul naive", 4.5)
    store.finish_job(job.id, JobStatus.CANCELLED, None, AT)
    store.set_progress(job.id, Progress(9, 12))
    assert store.job(job.id).progress == Progress(3, 12)


def test_queue_positions_and_pages(store: Store) -> None:
    for _ in range(5):
        submit(store)
    store.start_job(1, AT)
    store.finish_job(3, JobStatus.CANCELLED, None, AT)

    assert [(job.id, job.queue_position) for job in store.jobs()] == [
        (5, 3),
        (4, 2),
        (3, None),
        (2, 1),
        (1, None),
    ]
    assert [job.id for job in store.jobs(before_id=4, limit=2)] == [3, 2]
    assert [job.id for job in store.jobs(status=JobStatus.QUEUED)] == [5, 4, 2]
    assert [job.id for job in store.active_jobs()] == [1, 2, 4, 5]


def test_events_come_in_order_after_a_given_one(store: Store) -> None:
    first, second = submit(store), submit(store)
    store.add_events(first.id, [("log", {"text": "a"}), ("cell", {"n": 1, "nested": {"x": [1.5]}})])
    story = store.events(after_id=0, job_id=first.id)
    assert [(event.kind, event.data) for event in story[1:]] == [
        ("log", {"text": "a"}),
        ("cell", {"n": 1, "nested": {"x": [1.5]}}),
    ]
    assert [event.job_id for event in store.events(after_id=0)] == [1, 2, 1, 1]
    assert store.events(after_id=store.latest_event_id()) == []
    assert len(store.events(after_id=story[0].id, job_id=second.id)) == 1


def test_events_that_a_later_one_replaced_go_when_the_job_ends(store: Store) -> None:
    job, other = submit(store), submit(store)
    cell: dict[str, object] = {"problem": "matmul", "stage": "naive", "size": "m=1", "dtype": "float32"}
    for n in range(3):
        told: list[tuple[str, dict[str, object]]] = [("cell", cell | {"cache": "cold", "n": n})]
        told += [("log", {"text": f"line {n}"}), ("progress", {"done": n})]
        store.set_progress(job.id, Progress(n, 12), told)
    store.add_events(job.id, [("cell", cell | {"cache": "warm", "n": 7})])
    store.add_events(other.id, [("progress", {"done": 1}), ("progress", {"done": 2})])
    seen = store.latest_event_id()
    store.finish_job(job.id, JobStatus.FINISHED, None, AT)

    assert [(event.kind, event.data) for event in store.events(after_id=0, job_id=job.id)] == [
        ("status", {"status": "queued"}),
        ("log", {"text": "line 0"}),
        ("log", {"text": "line 1"}),
        ("cell", cell | {"cache": "cold", "n": 2}),
        ("log", {"text": "line 2"}),
        ("progress", {"done": 2}),
        ("cell", cell | {"cache": "warm", "n": 7}),
        ("status", {"status": "finished"}),
    ]
    assert len(store.events(after_id=0, job_id=other.id)) == 3
    assert [event.kind for event in store.events(after_id=seen)] == ["status"]


def test_what_is_not_there_is_said(store: Store) -> None:
    for ask in (
        lambda: store.job(7),
        lambda: store.run(7),
        lambda: store.samples(7),
        lambda: store.start_job(7, AT),
        lambda: store.delete_run(7),
        lambda: store.add_source(7, "a", "b"),
    ):
        with pytest.raises(NotFoundError):
            ask()
