"""Starts the real `roofladder serve` on a folder of its own and talks to it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psutil

from app.supervisor.data_folder import running_service

START_S = 40
COMMAND_S = 120
T = TypeVar("T")
COMMAND = [sys.executable, "-m", "app.cli"]


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    """Ours, without what the person running the tests has set."""
    ours = ("HOST", "PORT")
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ROOFLADDER_") and k not in ours}
    return {**kept, "ROOFLADDER_DATA_DIR": str(data_dir), "PORT": "0", "ROOFLADDER_BACKEND": "cpu"} | more


def roofladder(data_dir: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(data_dir, **more),
        capture_output=True,
        text=True,
        check=False,
        timeout=COMMAND_S,
    )


def wait_for(ask: Callable[[], T | None], timeout_s: float = START_S) -> T:
    """What `ask` returns once it is true."""
    until = time.monotonic() + timeout_s
    while time.monotonic() < until:
        answer = ask()
        if answer:
            return answer
        time.sleep(0.1)
    raise AssertionError("waited in vain")


def command_of(process: psutil.Process) -> list[str]:
    """Its command line, empty when it has just ended (gone, or not yet collected by its parent)."""
    try:
        words: list[str] = process.cmdline()
    except psutil.NoSuchProcess:
        return []
    return words


@dataclass
class Service:
    """A running service."""

    process: subprocess.Popen[str]
    url: str
    data_dir: Path

    def get(self, path: str) -> Any:
        """GET a JSON document of the API."""
        return httpx.get(f"{self.url}/api/v1{path}", trust_env=False, timeout=20).raise_for_status().json()

    def post(self, path: str, body: Any) -> Any:
        """POST a JSON document to the API."""
        answer = httpx.post(f"{self.url}/api/v1{path}", json=body, trust_env=False, timeout=20)
        return answer.raise_for_status().json()

    def children(self) -> list[psutil.Process]:
        """The worker and, below it, the measuring child."""
        found: list[psutil.Process] = psutil.Process(self.process.pid).children(recursive=True)
        return found

    def worker(self) -> psutil.Process | None:
        """The worker process."""
        return next((p for p in self.children() if "app.worker" in command_of(p)), None)

    def stop(self) -> float:
        """SIGTERM; returns how many seconds the end took."""
        asked = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        return time.monotonic() - asked


@contextmanager
def running(data_dir: Path, *arguments: str, **more: str) -> Iterator[Service]:
    """`roofladder serve` on any free port until the block ends."""
    process = subprocess.Popen(
        [*COMMAND, "serve", *arguments],
        env=environment(data_dir, **more),
        stdout=subprocess.DEVNULL,
        stderr=None,
        text=True,
    )
    try:

        def url() -> str | None:
            assert process.poll() is None, f"the service ended with exit code {process.returncode}"
            holder = running_service(data_dir)
            return holder.url if holder else None

        yield Service(process, wait_for(url), data_dir)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(20)
