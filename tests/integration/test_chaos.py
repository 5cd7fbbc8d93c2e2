"""Processes killed at the worst moments: every job still ends, and what was measured is kept."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.domain.vocabulary import JobStatus
from app.jobs.engine import EngineClient, WorkflowState, engine_database
from app.worker import EXIT_UNAVAILABLE
from tests.examples import ceiling
from tests.integration.worker_process import WorkerProcess

pytestmark = pytest.mark.chaos

RECOVERY_S = 60.0


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[WorkerProcess]:
    process = WorkerProcess(tmp_path)
    yield process
    process.close()


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def child_pid(worker: WorkerProcess, data: dict[str, object]) -> int:
    """From the scripted child's log line."""
    return int(str(data["text"]).split()[1])


def test_a_worker_killed_in_mid_job_goes_on_where_it_was(worker: WorkerProcess) -> None:
    worker.start()
    job = worker.submit(["chatters", "good", "raises", "wrong_later"], millis=1500)
    first = worker.wait_for_event(job, "log", "measures good")
    worker.wait_for_event(job, "log", "measures chatters")
    kept = {m.key.stage: m for m in worker.store.run(job.run_id).measurements}
    child = child_pid(worker, worker.wait_for_event(job, "log", "measures chatters"))
    worker.kill()

    ends = time.monotonic() + 20
    while is_alive(child) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not is_alive(child), "the child dies with its worker"
    assert set(kept) == {"good"}
    killed_s = time.monotonic()
    worker.start()
    job = worker.wait(job, seconds=RECOVERY_S)

    assert (job.status, job.attempts) == (JobStatus.FINISHED, 2)
    assert time.monotonic() - killed_s < RECOVERY_S
    assert {stage: status for stage, (status, _) in worker.outcomes(job).items()} == {
        "chatters": "measured",
        "good": "measured",
        "raises": "failed",
        "wrong_later": "measured",
    }
    found = worker.store.run(job.run_id).measurements
    assert len(found) == len({(m.key, m.cache) for m in found}) == 6, "exactly one set of results"
    starts = [
        event.data["text"]
        for event in worker.store.events(after_id=0, job_id=job.id)
        if event.kind == "log" and "measures good" in str(event.data)
    ]
    assert starts == [first["text"]], "a finished cell is not measured again"


def test_a_job_whose_enqueue_was_lost_runs_anyway(worker: WorkerProcess) -> None:
    lost_before = worker.submit(["good"], enqueue=False)
    worker.start()
    assert worker.wait(lost_before, seconds=RECOVERY_S).status is JobStatus.FINISHED
    lost_while_running = worker.submit(["good"], enqueue=False)
    assert worker.wait(lost_while_running, seconds=RECOVERY_S).status is JobStatus.FINISHED


def test_a_job_that_ends_its_worker_every_time_is_given_up(worker: WorkerProcess) -> None:
    job = worker.submit(["good", "hangs"], enqueue=False)
    for attempt in range(1, 4):
        worker.start()
        ends = time.monotonic() + RECOVERY_S
        while worker.store.job(job.id).attempts < attempt:
            assert time.monotonic() < ends, f"attempt {attempt} did not begin"
            time.sleep(0.05)
        while "good" not in worker.outcomes(job):
            assert time.monotonic() < ends, "the good stage was not measured"
            time.sleep(0.05)
        worker.kill()
    worker.start()
    job = worker.wait(job, seconds=RECOVERY_S)

    assert job.status is JobStatus.FAILED
    assert job.error is not None
    assert job.error.code == "given_up"
    assert "3 times" in job.error.message
    assert worker.outcomes(job)["good"] == ("measured", "")
    assert worker.wait(worker.submit(["good"])).status is JobStatus.FINISHED


def test_a_worker_that_stops_in_order_gives_its_job_back(worker: WorkerProcess) -> None:
    worker.start()
    job = worker.submit(["good", "hangs"])
    worker.wait_for_event(job, "progress", "hangs")
    began = time.monotonic()
    assert worker.end() == 0
    assert time.monotonic() - began < 10, "it does not wait for the stage that hangs"
    waiting = worker.store.job(job.id)
    assert (waiting.status, waiting.attempts) == (JobStatus.QUEUED, 0)

    worker.start()
    job = worker.wait(job, seconds=RECOVERY_S)
    assert (job.status, job.attempts) == (JobStatus.FINISHED, 1)


def test_a_job_cancelled_while_no_worker_lives_is_cancelled(worker: WorkerProcess) -> None:
    worker.start()
    job = worker.submit(["good", "hangs"])
    worker.wait_for_event(job, "progress", "hangs")
    worker.kill()
    worker.queue.cancel(worker.store.job(job.id))
    worker.start()
    job = worker.wait(job, seconds=RECOVERY_S)
    assert job.status is JobStatus.CANCELLED
    assert worker.outcomes(job) == {"good": ("measured", "")}


def test_a_job_that_the_engine_has_ended_without_a_result_fails_with_a_reason(worker: WorkerProcess) -> None:
    worker.start()
    job = worker.wait(worker.submit(["good"]))
    engine = EngineClient(engine_database(f"sqlite:///{worker.folder / 'jobs.db'}"))
    ends = time.monotonic() + 30
    while engine.states([job.workflow_id])[job.workflow_id] is not WorkflowState.ENDED:
        assert time.monotonic() < ends
        time.sleep(0.05)
    assert engine.forget_before(job.created_at) == 0, "a workflow that ended later is kept"
    with closing(sqlite3.connect(worker.folder / "roofladder.db", timeout=10)) as database:
        database.execute("UPDATE job SET status = 'running'")
        database.commit()

    job = worker.wait(job, seconds=RECOVERY_S)
    assert job.error is not None
    assert job.error.code == "engine_ended"
    assert engine.forget_before(datetime.now(UTC)) == 1
    assert engine.states([job.workflow_id]) == {}


def test_a_second_worker_on_the_data_folder_says_so_and_stops(worker: WorkerProcess) -> None:
    worker.start()
    worker.wait_until_ready()
    second = worker.spawn()
    _, errors = second.communicate(timeout=60)
    assert second.returncode == EXIT_UNAVAILABLE
    assert errors.splitlines()[-1].startswith(f"A worker already runs on the data folder {worker.folder}")
    assert f"(pid {worker.pid})" in errors


def test_the_real_child_survives_faulty_stages(tmp_path: Path) -> None:
    worker = WorkerProcess(tmp_path, scripted=False)
    try:
        stages = ["crashes", "does_not_compile", "exhausts_memory", "good", "wrong"]
        job = worker.submit(stages, millis=1000, enqueue=False)
        worker.store.add_ceiling(job.run_id, ceiling())  # spares the roofs' micro-benchmarks
        worker.start()
        job = worker.wait(job, seconds=RECOVERY_S)
        found = worker.outcomes(job)
        assert job.status is JobStatus.FINISHED
        assert {stage: status for stage, (status, _) in found.items()} == {
            "crashes": "failed",
            "does_not_compile": "failed",
            "exhausts_memory": "failed",
            "good": "measured",
            "wrong": "wrong_result",
        }
        assert found["crashes"][1] == "killed by SIGSEGV (an invalid memory access)"
        assert len(worker.store.run(job.run_id).measurements) == 2
    finally:
        worker.close()


def test_a_child_killed_from_outside_fails_its_cell_only(worker: WorkerProcess) -> None:
    worker.start()
    job = worker.submit(["chatters", "good"], millis=1500)
    os.kill(child_pid(worker, worker.wait_for_event(job, "log", "measures chatters")), signal.SIGKILL)
    job = worker.wait(job)
    assert job.status is JobStatus.FINISHED
    found = worker.outcomes(job)
    assert found["good"] == ("measured", "")
    assert found["chatters"] == ("failed", "killed by SIGKILL (from outside, often because memory ran out)")
