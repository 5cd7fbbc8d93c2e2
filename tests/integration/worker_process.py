"""A real worker process for tests, with a scripted child and short limits unless told otherwise."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from app.domain.errors import RoofladderError, UnavailableError
from app.domain.run import Job
from app.domain.size import Size
from app.domain.vocabulary import BackendName
from app.jobs.bench import Limits
from app.jobs.child import ChildCommand
from app.jobs.engine import JobQueue, open_client
from app.storage.database import open_store
from app.storage.store import Store
from tests.examples import selection, submit

ROOT = Path(__file__).parents[2]
SCRIPTED = (sys.executable, "-m", "tests.integration.scripted_child")
LIMITS = Limits(silence_s=6.0, read_wait_s=0.05, cancel_poll_s=0.2, lock_poll_s=0.1)


class WorkerProcess:
    """A worker on a data folder, and the store and queue that a web process would hold."""

    def __init__(self, folder: Path, *, scripted: bool = True) -> None:
        self.folder = folder
        self.device = f"test-{uuid4().hex}"
        self.store: Store = open_store(f"sqlite:///{folder / 'roofladder.db'}")
        self.queue: JobQueue = open_client(f"sqlite:///{folder / 'jobs.db'}")
        self._scripted = scripted
        self._process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        self._process = self.spawn()

    def spawn(self) -> subprocess.Popen[str]:
        """Start a worker and leave it to the caller."""
        environment = {
            "ROOFLADDER_DATA_DIR": str(self.folder),
            "ROOFLADDER_PROBLEM_FOLDERS": str(ROOT / "tests" / "problems"),
            "ROOFLADDER_BACKEND": "cpu",
            "ROOFLADDER_LOCK_DIR": str(self.folder),  # others may measure on this machine
            "ROOFLADDER_FIRST_BENCHMARK": "false",
            "TEST_DEVICE": self.device,
            "TEST_SCRIPTED": "1" if self._scripted else "",
        }
        return subprocess.Popen(
            [sys.executable, "-m", "tests.integration.worker_process"],
            cwd=ROOT,
            env=os.environ | environment,
            stderr=subprocess.PIPE,
            text=True,
        )

    def kill(self) -> None:
        """As the out-of-memory killer does it."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()

    def end(self) -> int:
        """As `docker stop` does it; returns the exit code."""
        assert self._process is not None
        self._process.terminate()
        self._process.communicate(timeout=30)
        return self._process.returncode

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()
        self.store.close()

    def submit(
        self, stages: Iterable[str], *, millis: int = 50, enqueue: bool = True, **changes: object
    ) -> Job:
        """A job over stages of the faulty ladder, in the order of the ladder."""
        stages = tuple(stages)
        chosen = selection(
            problems=("faults",), stages=stages, sizes=(Size.of(n=millis),), backend=BackendName.CPU
        )
        given = {"selection": chosen, "cell_count": len(stages), "deadline_s": 60.0} | changes
        job = submit(self.store, **given)
        if enqueue:
            with suppress(UnavailableError):  # no worker ran here yet: it will find the row, as in production
                self.queue.submit(job)
        return job

    def wait(self, job: Job, *, seconds: float = 60.0) -> Job:
        """The job in its final state."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            now = self.store.job(job.id)
            if now.status.is_final:
                return now
            time.sleep(0.05)
        raise AssertionError(f"job {job.id} is not over after {seconds} s: {self.store.job(job.id)}")

    def wait_for_event(
        self, job: Job, kind: str, text: str = "", *, seconds: float = 30.0
    ) -> dict[str, object]:
        """The data of the first event of that kind whose data contains `text`."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            for event in self.store.events(after_id=0, job_id=job.id):
                if event.kind == kind and text in str(event.data):
                    return event.data
            time.sleep(0.02)
        raise AssertionError(f"job {job.id} had no {kind} event with {text!r}")

    def wait_until_ready(self, *, seconds: float = 30.0) -> None:
        """Until the worker has told the store of its device."""
        ends = time.monotonic() + seconds
        while not self.store.workers():
            assert time.monotonic() < ends, "the worker did not start"
            time.sleep(0.05)

    def outcomes(self, job: Job) -> dict[str, tuple[str, str]]:
        """Status and reason by stage."""
        run = self.store.run(job.run_id)
        return {outcome.key.stage: (outcome.status.value, outcome.reason) for outcome in run.outcomes}


def _main() -> None:
    from app import worker

    scripted = bool(os.environ["TEST_SCRIPTED"])
    try:
        if scripted:
            worker.main(ChildCommand(SCRIPTED), limits=LIMITS)
        else:
            worker.main()
    except RoofladderError as error:
        sys.stderr.write(f"{error.message}\n")
        os._exit(worker.EXIT_UNAVAILABLE)


if __name__ == "__main__":
    _main()
