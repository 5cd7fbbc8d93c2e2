"""Entry of the worker: drives one device, runs one job at a time, tells the store what it sees.

It may be killed at any moment. What it was doing is in the two databases, and the next worker goes on.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from app.backends import nvml
from app.backends.cpu_device import cpu_state
from app.domain.child_messages import Probed
from app.domain.device import DeviceState
from app.domain.errors import DeviceUnavailableError, RoofladderError
from app.domain.vocabulary import BackendName
from app.jobs import host, recovery
from app.jobs.bench import Bench
from app.jobs.child import ChildCommand
from app.jobs.engine import EngineClient, engine_database
from app.jobs.findings import snapshot_of
from app.jobs.probe import DeviceProbe
from app.jobs.run_job import JobRunner
from app.jobs.worker_lock import WorkerLock
from app.kernels import registry
from app.services.bundled_capsules import import_bundled_capsules
from app.services.bundled_reports import import_bundled_reports
from app.services.doctor import diagnose, missing_gpu
from app.services.first_benchmark import submit_first_benchmark
from app.settings import Settings
from app.storage.database import open_store
from app.storage.store import Store

logger = logging.getLogger("app.worker")

SNAPSHOT_PERIOD_S = 60.0
FORGET_PERIOD_S = 3600.0
STOP_PATIENCE_S = 2.0
EXIT_UNAVAILABLE = 4
# Stable, so that the next worker on this data folder takes over what a killed one left.
EXECUTOR_ID = "worker"
BUNDLED_CAPSULES = Path(__file__).parent.parent / "capsules"
BUNDLED_REPORTS = Path(__file__).parent.parent / "ncu_reports"


class Worker:
    """One worker on one data folder."""

    def __init__(
        self, settings: Settings, command: ChildCommand, bench_changes: Mapping[str, object]
    ) -> None:
        self._settings = settings
        self._stopping = threading.Event()
        self._store: Store = open_store(settings.results_url)
        self._engine = EngineClient(engine_database(settings.engine_url))
        cache_dir = str(settings.data_dir.resolve() / "cache")
        self._probe = DeviceProbe(command, cache_dir)
        probed = self._probe_device()
        self._snapshot = snapshot_of(probed, probed.device.uuid)
        self._probed_capabilities = probed.capabilities
        self._read_state = _STATE_READERS[probed.device.backend](probed.device.uuid)
        bench = Bench(
            worker_id=probed.device.uuid,
            device_uuid=self._probe.device_uuid,
            cache_dir=cache_dir,
            command=command,
            lock_folder=settings.lock_dir,
        )
        self._runner = JobRunner(self._store, self._engine, replace(bench, **bench_changes))  # type: ignore[arg-type]

    def run(self) -> None:
        """Work until told to stop. Raises UnavailableError when a database cannot be used at start."""
        self._write_snapshot()
        host.launch(self._settings.engine_url, EXECUTOR_ID, self._runner.run)
        self._carefully(self._fill_first_page)
        recovery.recover(self._store, self._engine, self._runner.current_job_id)
        logger.info("Worker ready: %s.", self._snapshot.device.name)
        self._carefully(lambda: import_bundled_reports(self._store, BUNDLED_REPORTS))
        snapshot_s = forgotten_s = time.monotonic()
        while not self._stopping.wait(recovery.PERIOD_S):
            self._carefully(lambda: recovery.recover(self._store, self._engine, self._runner.current_job_id))
            if time.monotonic() - snapshot_s >= SNAPSHOT_PERIOD_S:
                snapshot_s = time.monotonic()
                self._carefully(self._write_snapshot)
            if time.monotonic() - forgotten_s >= FORGET_PERIOD_S:
                forgotten_s = time.monotonic()
                self._carefully(lambda: recovery.forget_old(self._engine))
        self._runner.stop(STOP_PATIENCE_S)

    def stop(self) -> None:
        """End soon: the running job goes back into the queue."""
        self._stopping.set()

    def _probe_device(self) -> Probed:
        """The device that the settings name; "auto" is a usable GPU, else the CPU with the reason kept."""
        wanted = self._settings.backend
        if wanted != "auto":
            return self._probe.probe(BackendName(wanted))
        try:
            return self._probe.probe(BackendName.CUDA)
        except DeviceUnavailableError as error:
            logger.info("%s The CPU is measured.", error.message)
            probed = self._probe.probe(BackendName.CPU)
            return replace(probed, capabilities=(*probed.capabilities, missing_gpu(error.message)))

    def _fill_first_page(self) -> None:
        """Queue a new store's first benchmark; without a GPU, import the runs that come with the product."""
        backend = self._snapshot.device.backend
        if self._settings.first_benchmark:
            submit_first_benchmark(self._store, self._engine, backend)
        if backend is BackendName.CPU:
            import_bundled_capsules(self._store, BUNDLED_CAPSULES)

    def _write_snapshot(self) -> None:
        state = self._read_state()
        if self._runner.current_job_id is not None:
            # Our own child is no foreign process, and it records those that are.
            state = replace(state, foreign_processes=())
        checks = diagnose(self._settings.data_dir, self._probed_capabilities).checks
        self._snapshot = replace(self._snapshot, seen_at=datetime.now(UTC), state=state, capabilities=checks)
        self._store.put_worker(self._snapshot)

    def _carefully(self, act: Callable[[], object]) -> None:
        try:
            act()
        except RoofladderError as error:
            logger.warning("%s", error.message)  # a busy or full disk passes; the next turn is soon


def main(command: ChildCommand | None = None, **bench_changes: object) -> None:
    """Run the worker that the environment describes; ends the process when told to stop.

    `command` and `bench_changes` (fields of `Bench`) put another child or other limits in.
    Raises RoofladderError in one line when it cannot start.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    settings = Settings()
    for folder in settings.problem_paths:
        registry.add_folder(folder)
    lock = WorkerLock.acquire(settings.data_dir)
    worker = Worker(settings, command or ChildCommand(), bench_changes)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: worker.stop())
    worker.run()
    lock.release()
    # The engine's threads are not daemons, and one may wait for ever over a job that was put back.
    logging.shutdown()
    os._exit(0)


def entry() -> int:
    """Run the worker and say in one line why it could not start."""
    try:
        main()
    except RoofladderError as error:
        sys.stderr.write(f"{error.message}\n")
        return EXIT_UNAVAILABLE
    return 0


def _gpu_state_reader(uuid: str) -> Callable[[], DeviceState]:
    gpu = nvml.gpu_by_uuid(uuid)
    return gpu.state if gpu else nvml.unreadable_state


_STATE_READERS: Mapping[BackendName, Callable[[str], Callable[[], DeviceState]]] = {
    BackendName.CPU: lambda _uuid: cpu_state,
    BackendName.CUDA: _gpu_state_reader,
}

if __name__ == "__main__":
    os._exit(entry())
