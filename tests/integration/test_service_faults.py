"""Processes killed in mid job: nothing stays behind, finished measurements are kept, the job ends."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.supervisor.data_folder import running_service
from tests.integration.service import Service, running, wait_for

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(240)]

JOB = {
    "kind": "benchmark",
    "selection": {"problems": ["matmul"], "stages": ["numpy_tiles", "blas"]},
    "sizes": [{"m": n, "n": n, "k": n} for n in (128, 192, 256, 320)],
    "dtypes": ["float32"],
    "backend": "cpu",
    "deadline_s": 600,
}
END_WITHIN_S = 60
FINAL = ("finished", "failed", "cancelled")
QUIET = {"ROOFLADDER_FIRST_BENCHMARK": "false"}


def is_gone(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def start_job(service: Service) -> int:
    """Submit and wait until a cell is measured and the child is at the next."""
    job_id: int = service.post("/jobs", JOB)["id"]
    wait_for(lambda: service.get(f"/jobs/{job_id}")["progress"]["done"] >= 1)
    return job_id


def end_of(service: Service, job_id: int) -> Any:
    def ended() -> Any:
        job = service.get(f"/jobs/{job_id}")
        return job if job["status"] in FINAL else None

    return wait_for(ended, END_WITHIN_S)


def measured_cells(service: Service, job: Any) -> set[tuple[str, int]]:
    found = service.get(f"/runs/{job['run_id']}")["measurements"]
    return {(m["stage"], m["size"]["m"]) for m in found if m["problem"] == "matmul"}


def test_a_killed_worker_is_started_again_and_its_job_recovers(tmp_path: Path) -> None:
    with running(tmp_path, **QUIET) as service:
        job_id = start_job(service)
        kept = measured_cells(service, service.get(f"/jobs/{job_id}"))
        worker = service.worker()
        assert worker is not None
        below = worker.children(recursive=True)
        worker.kill()
        wait_for(lambda: all(is_gone(child) for child in below), 5)
        second = wait_for(service.worker)
        assert second.pid != worker.pid
        job = end_of(service, job_id)
        assert job["status"] == "finished", job["error"]
        assert kept <= measured_cells(service, job)
        assert len(measured_cells(service, job)) == 8


def test_a_killed_service_leaves_no_process_and_a_new_one_goes_on(tmp_path: Path) -> None:
    with running(tmp_path, **QUIET) as first:
        job_id = start_job(first)
        below = first.children()
        assert len(below) >= 2, "worker and measuring child"
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait(5)
        wait_for(lambda: all(is_gone(process) for process in below), 5)
        assert running_service(tmp_path) is None
    started = time.monotonic()
    with running(tmp_path, **QUIET) as second:
        job = end_of(second, job_id)
        assert time.monotonic() - started < END_WITHIN_S
        assert job["status"] == "finished", job["error"]
        assert len(measured_cells(second, job)) == 8


def test_a_stopped_service_ends_worker_and_child_within_five_seconds(tmp_path: Path) -> None:
    with running(tmp_path, **QUIET) as service:
        start_job(service)
        below = service.children()
        assert service.stop() < 5
        assert all(is_gone(process) for process in below)
