"""Processes killed in mid job: nothing stays behind, finished measurements are kept, the job ends."""

from __future__ import annotations

import os
import signal
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
    "sizes": [{"m": 64, "n": 64, "k": 64}],
    "dtypes": ["float32"],
    "backend": "cpu",
    "deadline_s": 600,
}
END_WITHIN_S = 150  # measuring itself, on a busy machine
GONE_WITHIN_S = 20
GRACE_S = 10  # `docker stop` kills after that
FINAL = ("finished", "failed", "cancelled")
QUIET = {"ROOFLADDER_FIRST_BENCHMARK": "false"}


def is_gone(process: psutil.Process) -> bool:
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def start_job(service: Service) -> int:
    """Submit and wait until the measuring child is at work."""
    job_id: int = service.post("/jobs", JOB)["id"]
    wait_for(lambda: service.get(f"/jobs/{job_id}")["progress"]["cell"])
    return job_id


def end_of(service: Service, job_id: int) -> Any:
    def ended() -> Any:
        job = service.get(f"/jobs/{job_id}")
        return job if job["status"] in FINAL else None

    return wait_for(ended, END_WITHIN_S)


def measured_stages(service: Service, job: Any) -> set[str]:
    found = service.get(f"/runs/{job['run_id']}")["measurements"]
    return {m["stage"] for m in found if m["problem"] == "matmul"}


def test_a_killed_worker_is_started_again_and_its_job_recovers(tmp_path: Path) -> None:
    with running(tmp_path, **QUIET) as service:
        job_id = start_job(service)
        worker = service.worker()
        assert worker is not None
        below = worker.children(recursive=True)
        worker.kill()
        wait_for(lambda: all(is_gone(child) for child in below), GONE_WITHIN_S)
        second = wait_for(service.worker)
        assert second.pid != worker.pid
        job = end_of(service, job_id)
        assert job["status"] == "finished", job["error"]
        assert measured_stages(service, job) == {"numpy_tiles", "blas"}


def test_a_killed_service_leaves_no_process_and_a_new_one_goes_on(tmp_path: Path) -> None:
    with running(tmp_path, **QUIET) as first:
        job_id = start_job(first)
        below = first.children()
        assert len(below) >= 2, "worker and measuring child"
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait(5)
        wait_for(lambda: all(is_gone(process) for process in below), GONE_WITHIN_S)
        assert running_service(tmp_path) is None
    with running(tmp_path, **QUIET) as second:
        job = end_of(second, job_id)
        assert job["status"] == "finished", job["error"]
        assert measured_stages(second, job) == {"numpy_tiles", "blas"}


def test_a_stopped_service_ends_worker_and_child_within_the_grace_period(tmp_path: Path) -> None:
    with running(tmp_path, **QUIET) as service:
        start_job(service)
        below = service.children()
        assert service.stop() < GRACE_S
        assert all(is_gone(process) for process in below)
