"""Keeps one worker process alive beside the web service."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence

from app.launcher import PARENT_VARIABLE

logger = logging.getLogger(__name__)

FIRST_BACKOFF_S = 0.5
LONGEST_BACKOFF_S = 30.0
STEADY_AFTER_S = 60.0  # a worker that lived this long starts again at once
STOP_PATIENCE_S = 3.0


def worker_command() -> list[str]:
    """The worker behind the launcher that makes it die with the process that started it."""
    return [sys.executable, "-m", "app.launcher", sys.executable, "-m", "app.worker"]


class WorkerKeeper:
    """Starts the worker, starts it again when it dies, and stops it.

    The worker is spawned from the keeper's own thread, which lives until the worker is dead: the
    kernel sends the parent-death signal when the spawning *thread* ends, not the process.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._command = list(command)
        self._environment = {**os.environ, **environment, PARENT_VARIABLE: str(os.getpid())}
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="worker-keeper", daemon=True)

    @property
    def pid(self) -> int | None:
        """The living worker's process id."""
        process = self._process
        return process.pid if process and process.poll() is None else None

    def start(self) -> None:
        """Begin keeping."""
        self._thread.start()

    def stop(self) -> None:
        """Ask the worker to end, make it end after a few seconds, and wait until it has."""
        self._stopping.set()
        self._thread.join()

    def _keep(self) -> None:
        backoff_s = FIRST_BACKOFF_S
        while not self._stopping.is_set():
            started = time.monotonic()
            returncode = self._run_once()
            if self._stopping.is_set():
                return
            if time.monotonic() - started > STEADY_AFTER_S:
                backoff_s = FIRST_BACKOFF_S
            logger.warning(
                "The worker ended (%s); it starts again in %.1f s.", _ending(returncode), backoff_s
            )
            self._stopping.wait(backoff_s)
            backoff_s = min(2 * backoff_s, LONGEST_BACKOFF_S)

    def _run_once(self) -> int:
        # A session of its own: Ctrl-C reaches the service alone, which then stops the worker in order.
        with subprocess.Popen(self._command, env=self._environment, start_new_session=True) as process:
            self._process = process
            while process.poll() is None and not self._stopping.wait(0.1):
                pass
            if process.poll() is None:
                _end(process)
        return process.returncode


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()


def _ending(returncode: int) -> str:
    if returncode < 0:
        return signal.Signals(-returncode).name
    return f"exit code {returncode}"
