"""A database that cannot be written for a while, in the middle of a job: the job ends with a reason."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.domain.run import Job
from app.domain.size import Size
from app.domain.vocabulary import BackendName, JobStatus
from app.jobs.bench import Bench
from app.jobs.child import ChildCommand
from app.jobs.engine import EngineClient, engine_database
from app.jobs.run_job import RELEASED, JobRunner
from app.storage.database import open_store
from app.storage.store import Store
from tests.examples import selection, submit
from tests.integration.worker_process import LIMITS, SCRIPTED

pytestmark = pytest.mark.chaos


@dataclass(frozen=True)
class Runner:
    """A job runner on a thread, over a store that waits a tenth of a second for its turn to write."""

    database: Path
    store: Store
    runner: JobRunner
    pool: ThreadPoolExecutor

    def begin(self, *stages: str, seconds: int) -> tuple[Job, Future[str]]:
        """Run a job whose cells take `seconds` each, up to the middle of its last one."""
        sizes = (Size.of(m=1, n=seconds * 1000, k=1),)
        chosen = selection(stages=stages, sizes=sizes, backend=BackendName.CPU)
        job = submit(self.store, selection=chosen, cell_count=len(stages))
        running = self.pool.submit(self.runner.run, job.id)
        ends = time.monotonic() + 30
        while not any(stages[-1] in str(event.data) for event in self.store.events(after_id=0)):
            assert time.monotonic() < ends, "the last cell did not begin"
            time.sleep(0.02)
        return job, running

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Another program holds the database."""
        with closing(sqlite3.connect(self.database, timeout=10)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.rollback()


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[Runner]:
    database = tmp_path / "roofladder.db"
    store = open_store(f"sqlite:///{database}", busy_timeout_s=0.1)
    bench = Bench(
        worker_id="w",
        device_uuid=lambda _: "test-device",
        cache_dir=str(tmp_path / "cache"),
        command=ChildCommand(SCRIPTED, {"TEST_DEVICE": "test-device"}),
        limits=LIMITS,
        lock_folder=tmp_path,
    )
    engine = EngineClient(engine_database(f"sqlite:///{tmp_path / 'jobs.db'}"))
    with ThreadPoolExecutor(1) as pool:
        made = Runner(database, store, JobRunner(store, engine, bench), pool)
        yield made
        made.runner.stop(10)
    store.close()


def test_a_finding_that_cannot_be_written_fails_the_job_as_soon_as_that_can_be_written(
    runner: Runner,
) -> None:
    job, running = runner.begin("naive", "reordered", seconds=1)
    with runner.locked():
        time.sleep(3)
        assert not running.done(), "it waits to write why it failed"
        assert runner.store.job(job.id).status is JobStatus.RUNNING
    assert running.result(timeout=10) == "failed"
    over = runner.store.job(job.id)
    assert over.error is not None
    assert (over.status, over.error.code) == (JobStatus.FAILED, "unavailable")
    assert "locked" in over.error.message
    kept = runner.store.run(job.run_id)
    assert {m.key.stage for m in kept.measurements} == {"naive"}


def test_progress_that_cannot_be_written_costs_nothing(runner: Runner) -> None:
    job, running = runner.begin("naive", seconds=3)
    with runner.locked():
        time.sleep(1)
    assert running.result(timeout=10) == "finished"
    assert runner.store.job(job.id).progress.done == 1


def test_a_worker_that_stops_meanwhile_leaves_the_job_to_the_next_one(runner: Runner) -> None:
    job, running = runner.begin("naive", seconds=1)
    with runner.locked():
        time.sleep(2)
        assert runner.runner.stop(5)
    assert running.result(timeout=5) == RELEASED
    assert runner.store.job(job.id).status is JobStatus.RUNNING
