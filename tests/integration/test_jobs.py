"""Jobs through a real worker process: every ending a cell or a job can have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.domain.cell_progress import CellProgress, CellState
from app.domain.vocabulary import BackendName, JobStatus
from app.jobs.device_lock import DeviceLock
from tests.examples import SOURCE_SHA256, ceiling, selection
from tests.integration.worker_process import WorkerProcess


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerProcess]:
    process = WorkerProcess(tmp_path_factory.mktemp("worker"))
    process.start()
    process.wait_until_ready()
    yield process
    process.close()


def test_a_good_job_is_kept_whole(worker: WorkerProcess) -> None:
    job = worker.wait(worker.submit(["good"]))

    assert (job.status, job.error, job.attempts) == (JobStatus.FINISHED, None, 1)
    assert (job.progress.done, job.progress.total, job.progress.cell) == (1, 1, None)
    run = worker.store.run(job.run_id)
    assert worker.outcomes(job) == {"good": ("measured", "")}
    assert len(run.measurements) == len(worker.store.samples(job.run_id)) == 2
    assert run.ceilings == (ceiling(),)
    assert list(run.sources) == [SOURCE_SHA256]
    assert run.summary.device is not None
    assert run.summary.device.uuid == worker.device


def test_the_story_of_a_job_is_told(worker: WorkerProcess) -> None:
    job = worker.wait(worker.submit(["good"], millis=2000))
    story = worker.store.events(after_id=0, job_id=job.id)

    assert [e.data["status"] for e in story if e.kind == "status"] == ["queued", "running", "finished"]
    cells = [CellProgress.from_data(e.data) for e in story if e.kind == "cell"]
    assert cells[-1].state is CellState.DONE
    assert any(cell.state is CellState.NEXT_IN_ROUND and cell.round for cell in cells)
    foreign = [e.data for e in story if e.kind == "log" and "4711" in str(e.data)]
    assert len(foreign) == 1, "another process on the device is recorded once"
    progress = [e for e in story if e.kind == "progress"]
    assert progress[-1].data["done"] == 1
    seconds = (progress[-1].at - progress[0].at).total_seconds()
    assert len(progress) <= 2 * seconds + 2, "at most two writes a second"


def test_cells_that_go_wrong_leave_the_others_measured(worker: WorkerProcess) -> None:
    stages = ["crashes", "does_not_compile", "exhausts_memory", "good", "hangs", "wrong"]
    job = worker.wait(worker.submit(stages))

    assert job.status is JobStatus.FINISHED
    assert worker.outcomes(job) == {
        "crashes": ("failed", "killed by SIGSEGV (an invalid memory access)"),
        "does_not_compile": ("failed", "does not compile: line 3: expected ;"),
        "exhausts_memory": ("failed", "out of memory"),
        "good": ("measured", ""),
        "hangs": ("failed", "hung: no sign of life for 6 s"),
        "wrong": ("wrong_result", "largest relative error 0.5"),
    }
    assert worker.wait(worker.submit(["good"])).status is JobStatus.FINISHED


def test_a_child_that_dies_too_often_takes_the_remaining_cells_with_it(worker: WorkerProcess) -> None:
    stages = ["crashes", "exhausts_memory", "hangs", "raises", "unwritten", "good"]
    job = worker.wait(worker.submit(stages))
    found = worker.outcomes(job)
    assert len(found) == 6
    children = {e.data["text"] for e in worker.store.events(after_id=0, job_id=job.id) if e.kind == "log"}
    assert sum("A new one goes on" in str(text) for text in children) == 3
    reasons = {reason for _, reason in found.values()}
    assert "illegal address: the kernel read or wrote outside its arrays" in reasons


def test_a_job_that_measures_nothing_fails_with_the_reason(worker: WorkerProcess) -> None:
    job = worker.wait(worker.submit(["wrong"]))
    assert job.status is JobStatus.FAILED
    assert job.error is not None
    assert job.error.code == "nothing_measured"
    assert "largest relative error 0.5" in job.error.message


def test_a_missing_device_fails_the_job_in_one_line(worker: WorkerProcess) -> None:
    chosen = selection(problems=("faults",), backend=BackendName.CUDA)
    job = worker.wait(worker.submit(["good"], selection=chosen))
    assert job.status is JobStatus.FAILED
    assert job.error is not None
    assert (job.error.code, job.error.message) == (
        "device_unavailable",
        "No GPU is visible. Check the driver with nvidia-smi.",
    )


def test_a_running_job_is_cancelled_and_keeps_what_it_measured(worker: WorkerProcess) -> None:
    job = worker.submit(["chatters", "good", "hangs"], millis=50)
    worker.wait_for_event(job, "progress", "hangs")
    worker.queue.cancel(worker.store.job(job.id))

    job = worker.wait(job, seconds=20)
    assert (job.status, job.error) == (JobStatus.CANCELLED, None)
    assert set(worker.outcomes(job)) == {"chatters", "good"}
    assert len(worker.store.run(job.run_id).measurements) == 4
    assert worker.wait(worker.submit(["good"])).status is JobStatus.FINISHED


def test_a_queued_job_that_is_cancelled_never_starts(worker: WorkerProcess) -> None:
    first = worker.submit(["good"], millis=1000)
    second = worker.submit(["good"])
    worker.queue.cancel(second)
    assert worker.wait(first).status is JobStatus.FINISHED
    second = worker.wait(second, seconds=20)
    assert (second.status, second.started_at) == (JobStatus.CANCELLED, None)


def test_the_deadline_ends_a_job_and_keeps_what_it_measured(worker: WorkerProcess) -> None:
    job = worker.wait(worker.submit(["good", "hangs"], deadline_s=4.0), seconds=30)
    assert job.status is JobStatus.FAILED
    assert job.error is not None
    assert job.error.code == "deadline"
    assert "4 s" in job.error.message
    assert worker.outcomes(job)["good"] == ("measured", "")
    assert worker.outcomes(job)["hangs"][0] == "failed"


def test_submitting_twice_runs_once(worker: WorkerProcess) -> None:
    job = worker.submit(["good"])
    worker.queue.submit(job)
    assert worker.wait(job).attempts == 1


def test_a_job_waits_while_another_program_measures_on_the_device(worker: WorkerProcess) -> None:
    lock = DeviceLock.try_acquire(worker.device, worker.folder)
    assert lock is not None
    job = worker.submit(["good"])
    worker.wait_for_event(job, "log", "Another program measures")
    assert worker.outcomes(job) == {}
    lock.release()
    assert worker.wait(job).status is JobStatus.FINISHED
