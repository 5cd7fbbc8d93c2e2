"""Runs one job: the single step of its workflow, on the worker, from the first cell to a final state."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

from app.domain.device import Device
from app.domain.errors import ConflictError, NotFoundError, RoofladderError, UnavailableError
from app.domain.run import Job, JobError
from app.domain.vocabulary import JobStatus
from app.jobs.bench import Bench
from app.jobs.cell_ledger import CellLedger
from app.jobs.device_lock import DeviceLock
from app.jobs.durations import expected_durations
from app.jobs.engine import EngineClient
from app.jobs.live_report import LiveReport
from app.jobs.measuring_session import MeasuringSession
from app.jobs.watch import DeadlinePassed, JobCancelled, Watch, WorkerStopping
from app.kernels.cells import cells_of
from app.storage.store import Store

logger = logging.getLogger(__name__)

RELEASED = "released"
WRITE_RETRY_S = 1.0

T = TypeVar("T")


class JobRunner:
    """Runs one job at a time; `run` is what the engine calls, again after a crash."""

    def __init__(self, store: Store, engine: EngineClient, bench: Bench) -> None:
        self._store = store
        self._engine = engine
        self._bench = bench
        self._stopping = threading.Event()
        self._idle = threading.Event()
        self._idle.set()
        self.current_job_id: int | None = None

    def run(self, job_id: int) -> str:
        """Run the job to a final state and return that state's name.

        Returns RELEASED when the worker stops: the job is queued again and its workflow must not end.
        """
        self._idle.clear()
        self.current_job_id = job_id
        try:
            return self._run(job_id)
        except WorkerStopping:
            self._release(job_id)
            return RELEASED
        finally:
            self.current_job_id = None
            self._idle.set()

    def stop(self, patience_s: float) -> bool:
        """Kill the child, put the job back into the queue; False when that took longer than allowed."""
        self._stopping.set()
        return self._idle.wait(patience_s)

    def _run(self, job_id: int) -> str:
        try:
            job = self._patiently(lambda: self._store.start_job(job_id, datetime.now(UTC)))
        except (ConflictError, NotFoundError):
            return "over"  # cancelled while it was queued, or finished before the worker died
        if job.attempts > self._bench.limits.attempts:
            return self._finish(job, JobStatus.FAILED, _given_up(job))
        try:
            return self._finish(job, JobStatus.FINISHED, self._measure(job))
        except JobCancelled:
            return self._finish(job, JobStatus.CANCELLED, None)
        except DeadlinePassed:
            return self._finish(job, JobStatus.FAILED, _too_late(job))
        except WorkerStopping:
            raise
        except RoofladderError as error:
            logger.warning("Job %d failed: %s", job.id, error.message)
            return self._finish(job, JobStatus.FAILED, JobError(error.code, error.message))
        except Exception as error:
            logger.exception("Job %d failed", job.id)
            return self._finish(job, JobStatus.FAILED, _unexpected(error))

    def _finish(self, job: Job, status: JobStatus, error: JobError | None) -> str:
        final = JobStatus.FAILED if error else status
        self._patiently(lambda: self._store.finish_job(job.id, final, error, datetime.now(UTC)))
        return final.value

    def _patiently(self, write: Callable[[], T]) -> T:
        """Write as soon as the database can be written: a job whose state is lost would never end.

        Raises WorkerStopping when the worker is told to end before that.
        """
        told = False
        while True:
            try:
                return write()
            except UnavailableError as error:
                if not told:
                    logger.warning(
                        "%s The job's state is written as soon as that is possible.", error.message
                    )
                told = True
                if self._stopping.wait(WRITE_RETRY_S):
                    raise WorkerStopping from error

    def _release(self, job_id: int) -> None:
        try:
            self._store.release_job(job_id, datetime.now(UTC))
        except UnavailableError as error:
            logger.warning(
                "Job %d stays marked as running; the next worker goes on: %s", job_id, error.message
            )

    def _measure(self, job: Job) -> JobError | None:
        """Measure every cell that has no outcome yet; returns why nothing could be measured, or None."""
        limits = self._bench.limits
        watch = Watch(job, self._engine, self._stopping.is_set, limits.cancel_poll_s)
        run = self._store.run(job.run_id)
        ledger = CellLedger(cells_of(job.selection), run.outcomes, run.ceilings)
        expected = expected_durations(self._store, job.selection, self._device())
        report = LiveReport(self._store, job, expected, ledger.remaining)
        device_uuid = self._bench.device_uuid(job.selection.backend)
        lock = self._lock(device_uuid, watch, report)
        report.device_is_free()
        try:
            MeasuringSession(self._store, self._bench, job, watch, ledger, report).run(device_uuid, lock.fd)
        finally:
            lock.release()
        return None if ledger.anything_measured else _nothing_measured(ledger)

    def _device(self) -> Device | None:
        workers = self._store.workers()
        return next((w.device for w in workers if w.worker_id == self._bench.worker_id), None)

    def _lock(self, device_uuid: str, watch: Watch, report: LiveReport) -> DeviceLock:
        said = False
        while (lock := DeviceLock.try_acquire(device_uuid, self._bench.lock_folder)) is None:
            if not said:
                report.log("Another program measures on this device; waiting until it is done.")
                report.write()
                said = True
            watch.check()
            time.sleep(self._bench.limits.lock_poll_s)
        return lock


def _given_up(job: Job) -> JobError:
    return JobError(
        "given_up",
        f"The worker ended {job.attempts - 1} times while it ran this job, so the job was given up. Finished"
        " measurements are kept. Submit it again with fewer cells to find the one at fault.",
    )


def _too_late(job: Job) -> JobError:
    return JobError(
        "deadline",
        f"The job reached its deadline of {job.deadline_s:g} s. Finished measurements are kept. Submit the"
        " rest with a longer deadline_s.",
    )


def _nothing_measured(ledger: CellLedger) -> JobError:
    if not ledger.ended:
        return JobError("nothing_measured", "The selection has no cell that this backend knows.")
    first = ledger.ended[0]
    return JobError(
        "nothing_measured",
        f"None of the {ledger.total} cells could be measured. The first, {first.key.stage} at"
        f" {first.key.size.key}: {first.reason}.",
    )


def _unexpected(error: Exception) -> JobError:
    return JobError(
        "unexpected",
        f"The worker met an error that it does not know ({type(error).__name__}: {error}). Finished"
        " measurements are kept; the worker's log has the details.",
    )
